// Tests of the software NIC's parts that need no device: hash, frames, the
// grammar of rules, waiting frames. Run from the top of the source tree.
#include <arpa/inet.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "frame.h"
#include "held_frames.h"
#include "nic.h"
#include "rss.h"
#include "rule.h"
#include "truth.h"

namespace {

using lab::FrameFacts;
using lab::Kind;
using lab::Nanoseconds;

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr Nanoseconds kSecond = 1'000'000'000;

std::vector<std::uint8_t> bytes_of(const std::string& hex) {
  std::vector<std::uint8_t> bytes;
  std::istringstream words(hex);
  for (std::string word; words >> word;) {
    for (std::size_t i = 0; i + 1 < word.size(); i += 2) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(word.substr(i, 2), nullptr, 16)));
    }
  }
  return bytes;
}

// 10.77.1.1:4660 > 10.77.1.2:80, flags given, seq 0x01020304, ack 0x0a0b0c0d.
std::vector<std::uint8_t> tcp_frame(const std::string& flags) {
  return bytes_of(
      "020000000002 020000000001 0800 4500 0028 abcd 4000 40 06 0000 0a4d0101 0a4d0102 1234 0050 01020304 " +
      ("0a0b0c0d 50" + flags) + " faf0 0000 0000");
}

std::string refusal(const std::string& rule) {
  try {
    lab::parse_rule(rule);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the hash agrees with the published verification table") {
  std::ifstream file("tests/data/ms_rss_vectors.json");
  REQUIRE(file);
  const nlohmann::json data = nlohmann::json::parse(file);
  lab::RssConfig config{lab::parse_key(data["key"].get<std::string>()), {0}, lab::UdpHash::addresses_and_ports};
  REQUIRE(data["rows"].size() == 8);
  for (const auto& row : data["rows"]) {
    FrameFacts facts;
    facts.ip_version = row["family"] == "ipv4" ? 4 : 6;
    const int family = facts.ip_version == 4 ? AF_INET : AF_INET6;
    REQUIRE(inet_pton(family, row["src"].get<std::string>().c_str(), facts.source.data()) == 1);
    REQUIRE(inet_pton(family, row["dst"].get<std::string>().c_str(), facts.destination.data()) == 1);
    facts.source_port = row["src_port"];
    facts.destination_port = row["dst_port"];
    facts.kind = Kind::other;
    CHECK(lab::hash_of(config, facts) == std::stoul(row["hash_2tuple"].get<std::string>(), nullptr, 16));
    facts.kind = Kind::udp;
    facts.has_ports = true;
    CHECK(lab::hash_of(config, facts) == std::stoul(row["hash_4tuple"].get<std::string>(), nullptr, 16));
    config.udp = lab::UdpHash::addresses;
    CHECK(lab::hash_of(config, facts) == std::stoul(row["hash_2tuple"].get<std::string>(), nullptr, 16));
    facts.kind = Kind::syn;
    CHECK(lab::hash_of(config, facts) == std::stoul(row["hash_4tuple"].get<std::string>(), nullptr, 16));
    config.udp = lab::UdpHash::addresses_and_ports;
  }
}

TEST_CASE("tables are filled both ways and described as ethtool does") {
  using Table = std::vector<lab::QueueId>;
  CHECK(lab::make_table(8, 3, lab::Fill::modulo) == Table{0, 1, 2, 0, 1, 2, 0, 1});
  CHECK(lab::make_table(8, 4, lab::Fill::block) == Table{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK_THROWS_AS(lab::make_table(12, 3, lab::Fill::modulo), std::invalid_argument);
  CHECK_THROWS_AS(lab::make_table(8, 9, lab::Fill::modulo), std::invalid_argument);
  CHECK_THROWS_AS(lab::make_table(16384, 9, lab::Fill::modulo), std::invalid_argument);

  std::vector<std::uint8_t> key(40, 0x6d);
  key.back() = 0x01;
  std::string key_text;
  for (int i = 0; i < 39; ++i) {
    key_text += "6d:";
  }
  CHECK(lab::ethtool_text("eth0", {key, lab::make_table(16, 4, lab::Fill::modulo)}) ==
        "RX flow hash indirection table for eth0 with 4 RX ring(s):\n"
        "    0:      0     1     2     3     0     1     2     3\n"
        "    8:      0     1     2     3     0     1     2     3\n"
        "RSS hash key:\n" +
            key_text + "01\nRSS hash function:\n    toeplitz: on\n    xor: off\n    crc32: off\n");
}

TEST_CASE("keys are read with and without colons, or made from a seed") {
  CHECK(lab::parse_key("random:5") == lab::parse_key("random:5"));
  CHECK(lab::parse_key("random:5") != lab::parse_key("random:6"));
  CHECK(lab::parse_key("random:5").size() == 40);
  std::string colons = "aB";
  for (int i = 1; i < 52; ++i) {
    colons += ":01";
  }
  CHECK(lab::parse_key(colons).size() == 52);
  CHECK(lab::parse_key(colons).front() == 0xab);
  for (const char* bad : {"", "random:", "random:x", "6d5a", "random:1x"}) {
    CHECK_THROWS_AS(lab::parse_key(bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(lab::parse_key(std::string(80, 'g')), std::invalid_argument);
}

TEST_CASE("TCP frames give kind, flow and numbers") {
  const FrameFacts facts = lab::read_frame(tcp_frame("02"));
  CHECK(facts.kind == Kind::syn);
  CHECK(facts.has_ports);
  CHECK(facts.source_port == 0x1234);
  CHECK(facts.destination_port == 80);
  CHECK(facts.sequence == 0x01020304);
  CHECK(facts.acknowledgement == 0x0a0b0c0d);
  CHECK(facts.ip_id == 0xabcd);
  CHECK(lab::address_text(facts, facts.source) == "10.77.1.1");
  CHECK(lab::read_frame(tcp_frame("12")).kind == Kind::syn_ack);
  CHECK(lab::read_frame(tcp_frame("04")).kind == Kind::rst);
  CHECK(lab::read_frame(tcp_frame("14")).kind == Kind::rst);
  CHECK(lab::read_frame(tcp_frame("10")).kind == Kind::tcp_other);
  const FrameFacts back = lab::reversed(facts);
  CHECK(back.source_port == 80);
  CHECK(lab::address_text(back, back.destination) == "10.77.1.1");
}

TEST_CASE("a frame cut short at any length is no TCP segment and no crash") {
  const std::vector<std::uint8_t> whole = tcp_frame("02");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK_FALSE(lab::read_frame(cut).has_ports);
  }
}

TEST_CASE("tags, fragments, extension headers and neighbour discovery are told apart") {
  std::vector<std::uint8_t> tagged = tcp_frame("02");
  const auto tag = bytes_of("8100 0064");
  tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
  CHECK(lab::read_frame(tagged).kind == Kind::syn);

  std::vector<std::uint8_t> fragment = tcp_frame("02");
  fragment[20] = 0x20;  // more fragments
  CHECK(lab::read_frame(fragment).kind == Kind::other);
  CHECK_FALSE(lab::read_frame(fragment).has_ports);

  const std::string addresses = " fd770001000000000000000000000001 fd770001000000000000000000000002 ";
  const auto v6 = [&](const std::string& length, const std::string& next, const std::string& rest) {
    return lab::read_frame(
        bytes_of("020000000002 020000000001 86dd 60000000 " + length + " " + next + " 40" + addresses + rest));
  };
  const FrameFacts udp = v6("0014", "00", "11 00 000000000000 1234 0007 000c 0000 deadbeef");
  CHECK(udp.kind == Kind::udp);
  CHECK(udp.destination_port == 7);
  CHECK(udp.sequence == 0xdeadbeef);
  CHECK(lab::address_text(udp, udp.destination) == "fd77:1::2");
  CHECK(v6("0014", "2c", "11 00 0001 00000001 1234 0007 000c 0000 deadbeef").kind == Kind::other);
  CHECK(v6("0008", "3a", "80 00 0000 00010002").kind == Kind::icmp_echo);
  CHECK(v6("0008", "3a", "01 04 0000 00000000").kind == Kind::icmp_error);
  CHECK(v6("0008", "3a", "87 00 0000 00000000").kind == Kind::untouched);
  CHECK(lab::read_frame(bytes_of("ffffffffffff 020000000001 0806 0001")).kind == Kind::untouched);
}

TEST_CASE("a rule holds what its words say") {
  const lab::Rule rule = lab::parse_rule(
      "queue=1,3-5  match=synack,rst loss=2.5% burst=4 stall=200ms/2s rate=1000/s ring=64 delay=3ms "
      "jitter=uniform:50us reorder=1%:3frames duplicate=0.1%:20us port=80,8000-8010 path=3/8 reverse-queue=2");
  CHECK(rule.queues.contains(4));
  CHECK_FALSE(rule.queues.contains(2));
  CHECK(rule.reverse_queues.contains(2));
  CHECK(rule.ports.contains(8005));
  CHECK(rule.loss == Approx(0.025));
  CHECK(rule.burst == 4);
  CHECK(rule.stall == 200 * kMillisecond);
  CHECK(rule.stall_period == 2 * kSecond);
  CHECK(rule.rate == 1000);
  CHECK(rule.ring == 64);
  CHECK(rule.delay == 3 * kMillisecond);
  CHECK(rule.jitter == lab::Jitter::uniform);
  CHECK(rule.jitter_size == 50'000);
  CHECK(rule.reorder == Approx(0.01));
  CHECK(rule.hold_frames == 3);
  CHECK(rule.duplicate == Approx(0.001));
  CHECK(rule.duplicate_after == 20'000);
  CHECK(rule.path == 3);
  CHECK(rule.paths == 8);
  CHECK(lab::parse_rule("queue=all loss=every:20").loss_every == 20);
  CHECK(lab::parse_rule("delay=0.5us").delay == 500);
}

TEST_CASE("a rule that makes no sense is refused by the word") {
  for (const char* bad : {"loss=5",
                          "loss=101%",
                          "loss=every:0",
                          "loss=-1%",
                          "loss=",
                          "queue=3",
                          "queue=x loss=1%",
                          "queue=5-3 loss=1%",
                          "match=sin loss=1%",
                          "match= loss=1%",
                          "delay=3",
                          "delay=3parsecs",
                          "delay=9999s",
                          "stall=2s/200ms",
                          "stall=2s",
                          "ring=5 loss=1%",
                          "burst=3",
                          "burst=0.5 loss=5%",
                          "burst=1 loss=80%",
                          "jitter=gauss:1ms",
                          "reorder=1%",
                          "reorder=1%:0frames",
                          "path=8/8 loss=1%",
                          "rate=0",
                          "rate=5/m",
                          "colour=red",
                          "loss",
                          ""}) {
    INFO(bad);
    CHECK_FALSE(refusal(bad).empty());
  }
  CHECK(refusal("queue=3 delay=3parsecs").find("3parsecs") != std::string::npos);
  CHECK(refusal("queue=3 colour=red").find("colour=red") != std::string::npos);
}

TEST_CASE("rules come from both directions' options and from the file") {
  const std::string path = std::filesystem::temp_directory_path() / ("softnic_test." + std::to_string(getpid()));
  std::ofstream(path) << "# faults\n\n  to-target queue=3 loss=5% # of all\nto-client delay=1ms\n";
  const lab::Rules rules = lab::load_rules({"loss=1%"}, {}, path);
  REQUIRE(rules.to_target.size() == 2);
  CHECK(rules.to_target[1].loss == Approx(0.05));
  REQUIRE(rules.to_client.size() == 1);
  std::ofstream(path) << "to-nowhere loss=5%\n";
  CHECK_THROWS_AS(lab::load_rules({}, {}, path), std::invalid_argument);
  std::filesystem::remove(path);
  CHECK_THROWS_AS(lab::load_rules({}, {}, path), std::invalid_argument);
}

TEST_CASE("waiting frames leave by deadline, in order of arrival when equal") {
  lab::HeldFrames held(2);
  lab::Frame frame;
  const auto add = [&](std::uint8_t mark, Nanoseconds deadline) {
    frame.bytes = {mark};
    frame.deadline = deadline;
    held.add(frame);
  };
  CHECK(held.next_deadline() == lab::HeldFrames::kNever);
  add(1, 30);
  add(2, 10);
  add(3, 10);
  lab::Frame out;
  CHECK(held.next_deadline() == 10);
  CHECK_FALSE(held.take_due(9, out));
  std::string order;
  while (held.take_due(30, out)) {
    order += static_cast<char>('0' + out.bytes[0]);
  }
  CHECK(order == "231");
  CHECK(held.size() == 0);
}

TEST_CASE("a frame held by count leaves after so many others, or in the end by time") {
  lab::HeldFrames held(2);
  lab::Frame frame;
  frame.bytes = {9};
  frame.deadline = 5;
  held.add_until_passed(frame, 1, 2);
  lab::Frame out;
  held.count_passed(1);
  CHECK_FALSE(held.take_passed(1, out));
  held.count_passed(0);
  CHECK_FALSE(held.take_passed(1, out));
  held.count_passed(1);
  REQUIRE(held.take_passed(1, out));
  CHECK(out.bytes.front() == 9);
  CHECK(held.next_deadline() == lab::HeldFrames::kNever);

  held.add_until_passed(frame, 1, 2);
  CHECK_FALSE(held.take_due(lab::HeldFrames::kLongestHold, out));
  REQUIRE(held.take_due(lab::HeldFrames::kLongestHold + 5, out));
  held.count_passed(1);
  held.count_passed(1);
  CHECK_FALSE(held.take_passed(1, out));
  CHECK(held.size() == 0);
}

TEST_CASE("lateness has quantiles and a maximum") {
  lab::Lateness late;
  CHECK(late.quantile(0.5) == 0);
  for (Nanoseconds i = 1; i <= 100; ++i) {
    late.add(i * 1000 - 1);
  }
  late.add(kSecond);
  CHECK(late.quantile(0.5) == 51'000);
  CHECK(late.max() == kSecond);
  CHECK(late.quantile(1) == kSecond);
}

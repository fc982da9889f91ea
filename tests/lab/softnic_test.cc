// Tests of the software NIC's parts that need no device: hash, frames, rules,
// faults, waiting frames. Run from the top of the source tree.
#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "frame.h"
#include "held_frames.h"
#include "impairment.h"
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

FrameFacts syn_from(std::uint16_t port) {
  static const FrameFacts kSyn = lab::read_frame(tcp_frame("02"));
  FrameFacts facts = kSyn;
  facts.source_port = port;
  return facts;
}

lab::Impairments impairments(std::initializer_list<const char*> rules, std::size_t queues = 8, std::uint64_t seed = 1) {
  std::vector<lab::Rule> parsed;
  std::transform(rules.begin(), rules.end(), std::back_inserter(parsed), lab::parse_rule);
  return {std::move(parsed), queues, seed, 0};
}

lab::Verdict judge(lab::Impairments& faults, lab::QueueId queue, Nanoseconds now = 0, std::uint16_t port = 40000) {
  const FrameFacts facts = syn_from(port);
  return faults.judge(facts, facts, queue, 0, now);
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

TEST_CASE("loss has its rate, in its queue and kind only, and the same with the same seed") {
  constexpr int kFrames = 20000;
  const auto losses = [](lab::Impairments faults, lab::QueueId queue) {
    std::vector<bool> lost;
    for (int i = 0; i < kFrames; ++i) {
      lost.push_back(judge(faults, queue).is_dropped());
    }
    return lost;
  };
  const auto third = losses(impairments({"queue=3 match=syn loss=5%"}), 3);
  // 1000 expected, standard deviation 31.
  CHECK(std::count(third.begin(), third.end(), true) == Approx(1000).margin(155));
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}), 3) == third);
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}, 8, 2), 3) != third);
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}), 4) == std::vector<bool>(kFrames, false));
  CHECK(losses(impairments({"queue=3 match=rst loss=5%"}), 3) == std::vector<bool>(kFrames, false));
  CHECK(losses(impairments({"loss=5%"}), 3) != losses(impairments({"loss=5%"}), 4));
}

TEST_CASE("each n-th frame is lost, counted per queue") {
  lab::Impairments faults = impairments({"loss=every:3"});
  std::string fate;
  for (int i = 0; i < 6; ++i) {
    fate += judge(faults, 1).is_dropped() ? 'x' : '.';
    fate += judge(faults, 2).is_dropped() ? 'x' : '.';
  }
  CHECK(fate == "....xx....xx");
}

TEST_CASE("bursts keep the loss and have the mean length") {
  lab::Impairments faults = impairments({"loss=5% burst=10"});
  int lost = 0;
  int bursts = 0;
  bool before = false;
  for (int i = 0; i < 200'000; ++i) {
    const bool now = judge(faults, 0).is_dropped();
    lost += now ? 1 : 0;
    bursts += now && !before ? 1 : 0;
    before = now;
  }
  CHECK(lost == Approx(10'000).epsilon(0.12));
  CHECK(static_cast<double>(lost) / bursts == Approx(10).epsilon(0.12));
}

TEST_CASE("port, path and reverse queue choose the frames") {
  lab::Impairments by_port = impairments({"port=80 loss=100%"});
  CHECK(judge(by_port, 0).is_dropped());
  FrameFacts other = syn_from(40000);
  other.destination_port = 8080;
  CHECK_FALSE(by_port.judge(other, other, 0, 0, 0).is_dropped());
  // A reply carries the target's port as its source.
  const FrameFacts reply = lab::reversed(syn_from(40000));
  CHECK(by_port.judge(reply, lab::reversed(reply), 0, 0, 0).is_dropped());

  lab::Impairments by_reverse = impairments({"reverse-queue=2 loss=100%"});
  CHECK(by_reverse.judge(other, other, 0, 2, 0).is_dropped());
  CHECK_FALSE(by_reverse.judge(other, other, 2, 0, 0).is_dropped());

  std::array<int, 8> hits{};
  for (std::size_t path = 0; path < hits.size(); ++path) {
    const std::string rule = "loss=100% path=" + std::to_string(path) + "/8";
    lab::Impairments by_path = impairments({rule.c_str()});
    for (std::uint16_t port = 0; port < 8000; ++port) {
      hits[path] += judge(by_path, 0, 0, port).is_dropped() ? 1 : 0;
    }
  }
  CHECK(std::accumulate(hits.begin(), hits.end(), 0) == 8000);  // each flow has one path
  CHECK(*std::min_element(hits.begin(), hits.end()) > 900);
}

TEST_CASE("delay and jitter add up within their bounds") {
  lab::Impairments faults = impairments({"queue=5 delay=3ms", "queue=5 jitter=uniform:1ms"});
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const lab::Verdict verdict = judge(faults, 5, kSecond);
    const Nanoseconds added = verdict.release_at - kSecond;
    REQUIRE(added >= 3 * kMillisecond);
    REQUIRE(added <= 4 * kMillisecond);
    REQUIRE(verdict.actions == lab::kDelayed);
    sum += static_cast<double>(added);
  }
  CHECK(sum / 10'000 == Approx(3.5e6).epsilon(0.01));
  CHECK(judge(faults, 4, kSecond).release_at == kSecond);
  lab::Impairments tail = impairments({"jitter=exponential:1ms"});
  sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    sum += static_cast<double>(judge(tail, 0).release_at);
  }
  CHECK(sum / 10'000 == Approx(1e6).epsilon(0.05));
}

TEST_CASE("a stall holds frames until its end, and windows say when") {
  lab::Impairments faults = impairments({"stall=200ms/2s"});
  CHECK(judge(faults, 0, 100 * kMillisecond).release_at == 100 * kMillisecond);  // none before the first period
  CHECK(judge(faults, 0, 2000 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 7, 2199 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 0, 2199 * kMillisecond).actions == lab::kStalled);
  CHECK(judge(faults, 0, 2200 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 0, 2200 * kMillisecond).actions == 0);
  const auto windows = faults.stall_windows(0, 6100 * kMillisecond, 1000);
  REQUIRE(windows.size() == 3);
  CHECK(windows[2].start == 6 * kSecond);
  CHECK(windows[2].end == 6200 * kMillisecond);
  CHECK(faults.stall_windows(0, 6100 * kMillisecond, 2).size() == 2);
}

TEST_CASE("a ring overflows when as many wait as it holds, each queue for itself") {
  lab::Impairments faults = impairments({"stall=100ms/1s ring=4"});
  std::string fate;
  for (int i = 0; i < 6; ++i) {
    fate += judge(faults, 0, kSecond + i).is_dropped() ? 'x' : '.';
  }
  CHECK(fate == "....xx");
  CHECK_FALSE(judge(faults, 1, kSecond).is_dropped());
  CHECK_FALSE(judge(faults, 0, 1100 * kMillisecond).is_dropped());
}

TEST_CASE("a rate serves one frame at a time and keeps the order") {
  lab::Impairments faults = impairments({"rate=1000/s ring=2"});
  CHECK(judge(faults, 0, 0).release_at == 0);
  CHECK(judge(faults, 0, 0).release_at == kMillisecond);
  CHECK(judge(faults, 0, 0).release_at == 2 * kMillisecond);
  CHECK(judge(faults, 0, 0).actions == lab::kOverflowed);
  CHECK(judge(faults, 0, 1'500'000).release_at == 3 * kMillisecond);
  CHECK(judge(faults, 0, kSecond).release_at == kSecond);
  lab::Impairments limit = impairments({"rate=100/s ring=0"});
  int passed = 0;
  for (int i = 0; i < 1000; ++i) {
    passed += judge(limit, 0, i * kMillisecond).is_dropped() ? 0 : 1;
  }
  CHECK(passed == 100);
}

TEST_CASE("duplicates and reordering say when each copy goes") {
  lab::Impairments twice = impairments({"duplicate=100%:1ms"});
  const lab::Verdict copy = judge(twice, 0, kSecond);
  CHECK(copy.actions == lab::kDuplicated);
  CHECK(copy.release_at == kSecond);
  CHECK(copy.duplicate_at == kSecond + kMillisecond);
  lab::Impairments later = impairments({"reorder=100%:2ms"});
  CHECK(judge(later, 0, 0).release_at == 2 * kMillisecond);
  CHECK(judge(later, 0, 0).hold_frames == 0);
  lab::Impairments behind = impairments({"reorder=100%:3frames"});
  CHECK(judge(behind, 0, 0).hold_frames == 3);
  CHECK(lab::action_text(lab::kStalled | lab::kDelayed) == "stalled+delayed");
  CHECK(lab::action_text(0) == "passed");
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

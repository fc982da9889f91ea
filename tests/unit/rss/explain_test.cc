// The answers of `volley rss`, letter for letter.
#include "volley/rss/explain.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "room_test.h"
#include "volley/rss/caveats.h"
#include "volley/rss/config_request.h"
#include "volley/rss/explain_json.h"
#include "volley/rss/flow_text.h"
#include "volley/rss/words.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

RssAnswer answer_for(const std::string& file, const std::string& more = "") {
  RssAnswer answer;
  answer.rss = value_of(make_config({.text = read_data(file) + more, .text_name = "web7.txt"}));
  answer.source = "web7.txt";
  answer.caveats = caveats_of(answer.rss);
  return answer;
}

std::string row_of(const std::string& text, const std::string& label) {
  const auto at = text.find("\n  " + label + " ");
  REQUIRE(at != std::string::npos);
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("an explanation in full") {
  CHECK(explanation_text(answer_for("ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt")) ==
        R"(RSS of eth0 by web7.txt
  function   toeplitz, no input transformation
  key        40 bytes, published: microsoft (hv_netvsc, hns3; in DPDK ixgbe, igb, igc, virtio,
             vmxnet3, nfp and more)
  table      128 entries, entry i to queue i % 8
  queues     8, 12.5 % each
  tcp        addresses and ports: changing source ports reach all queues (assumed)
  udp        addresses and ports: changing source ports reach all queues (assumed)
  icmp       addresses alone: all packets between two hosts meet one queue
  note       udp ports are assumed to be hashed, but ixgbe, igb, igc, e1000e, bnx2x and vmxnet3 hash
             addresses alone unless told otherwise: append what ethtool -n eth0 rx-flow-hash udp4
             prints
  note       Hyper-V's netvsc has this key; it asks its host to hash TCP alone, though ethtool -n
             shows ports for UDP
  note       not every NIC does what it shows (seen: virtio guests with Linux 6.1; reported: ena,
             gve): volley probe --rss tests it against what it measures
)");
}

TEST_CASE("an explanation names shares, fills, transformations and fields") {
  auto text = explanation_text(answer_for("ethtool/ixgbe_x550_24q.x.ethtool-6.1.txt"));
  CHECK(row_of(text, "key") == "  key        40 bytes, 31:ee:be:a2:df:5a:6e:d9:...");
  CHECK(row_of(text, "queues") == "  queues     24, unequal: 4.3 % each to 0-7, 4.1 % each to 8-23");
  text = explanation_text(answer_for("ethtool/igb_8q_blockfill.x.ethtool-6.1.txt"));
  CHECK(row_of(text, "table") == "  table      128 entries, in blocks: entry i to queue i * 8 / 128");
  text = explanation_text(answer_for("ethtool/weighted_two_queues_excluded.x.ethtool-6.1.txt"));
  CHECK(row_of(text, "table") == "  table      128 entries, filled by hand");
  CHECK(row_of(text, "queues") ==
        "  queues     6, unequal: 17.2 % each to 0 1, 16.4 % each to 2 3 5 7; nothing to 4 6");
  text = explanation_text(answer_for("ethtool/mlx5_24q_symorxor.x.ethtool-7.2.txt"));
  CHECK(row_of(text, "function") == "  function   toeplitz, input transformation symmetric-or-xor");
  CHECK(text.find("if the NIC is an mlx5") == std::string::npos);
  text = explanation_text(
      answer_for("ethtool/i40e_64q_key52.x.ethtool-6.1.txt",
                 read_data("ethtool/rx-flow-hash.udp4.2tuple.txt") + read_data("ethtool/rx-flow-hash.udp6.none.txt")));
  CHECK(row_of(text, "udp") == "  udp        addresses alone: all packets between two hosts meet one queue");
  CHECK(row_of(text, "udp (IPv6)") == "  udp (IPv6) not hashed: all packets meet one queue, most likely 0");
  CHECK(text.find("if the NIC is an mlx5: kernels before 7.2") != std::string::npos);
  CHECK(text.find("udp ports are assumed") == std::string::npos);
}

TEST_CASE("no line of an explanation is wider than 100 columns") {
  for (const std::string file :
       {"ethtool/weighted_two_queues_excluded.x.ethtool-6.1.txt", "ethtool/mlx5_8q_xor8.x.ethtool-6.1.txt",
        "ethtool/i40e_64q_key52.x.ethtool-6.1.txt"}) {
    std::istringstream text(explanation_text(answer_for(file)));
    for (std::string line; std::getline(text, line);) {
      CHECK(line.size() <= 100);
    }
  }
}

TEST_CASE("symmetric keys are told, and that they cancel out under symmetric-xor") {
  RssAnswer answer;
  answer.rss = value_of(make_config({.key = "symmetric-6d5a", .queues = 8}));
  answer.source = "--rss-key";
  answer.caveats = caveats_of(answer.rss);
  auto text = explanation_text(answer);
  CHECK(text.starts_with("RSS by --rss-key\n"));
  CHECK(text.find("both directions of a flow have the same hash") != std::string::npos);
  answer.rss.config.transform = InputTransform::symmetric_xor;
  CHECK(cancels_out(answer.rss.config));
  CHECK(doubts_of(answer.rss.config).size() == 1);
}

TEST_CASE("queues of flows are a table") {
  auto answer = answer_for("ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt");
  const std::vector<wire::Flow> flows{
      flow_of("66.9.149.187", 2794, "161.142.100.80", 1766),
      flow_of("66.9.149.187", 0, "161.142.100.80", 0, wire::IpProtocol::icmp),
      flow_of("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, wire::IpProtocol::udp)};
  answer.flows = queues_of(answer.rss.config, flows);
  CHECK(to_text(answer) ==
        R"(queue  entry  hash        flow
    0    120  0x51ccc178  66.9.149.187:2794>161.142.100.80:1766 tcp
    2     66  0x323e8fc2  66.9.149.187>161.142.100.80 icmp
    5     61  0x40207d3d  [3ffe:2501:200:1fff::7]:2794>[3ffe:2501:200:3::1]:1766 udp
)");
}

TEST_CASE("source ports for a queue are listed to be copied, and spread over those there are") {
  const auto answer = answer_for("ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt");
  const auto flow = flow_of("10.0.3.9", 0, "10.0.3.7", 6379);
  const auto choice = choose_ports(answer.rss.config, flow, {32768, 65535}, QueueId{3}, 6);
  REQUIRE(choice.ports.size() == 6);
  std::string list;
  for (const auto port : choice.ports) {
    auto probe = flow;
    probe.source_port = port;
    CHECK(queue_of(answer.rss.config, probe) == 3);
    list += (list.empty() ? "" : ",") + std::to_string(port);
  }
  CHECK(choice.ports.front() < 34000);
  CHECK(choice.ports.back() > 59000);
  const auto four = list.substr(0, 4 * 6 - 1);
  CHECK(ports_text(choice) ==
        "queue 3  from 10.0.3.9 to 10.0.3.7:6379 tcp: 4096 of 32768 source ports in 32768-65535\n"
        "  ports      " +
            list + "\n  try        volley probe --source-ports " + four + " 10.0.3.7:6379\n");
  CHECK(choose_ports(answer.rss.config, flow, {32768, 65535}, QueueId{3}, 0).ports.size() == 4096);
}

TEST_CASE("ports that are not hashed can't choose a queue, and that is said") {
  const auto answer =
      answer_for("ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt", read_data("ethtool/rx-flow-hash.udp4.2tuple.txt"));
  const auto flow = flow_of("10.0.3.9", 0, "10.0.3.7", 53, wire::IpProtocol::udp);
  const auto home = queue_of(answer.rss.config, flow);
  const auto other = static_cast<QueueId>((home + 1) % 8);
  CHECK(ports_text(choose_ports(answer.rss.config, flow, {40000, 40099}, other, 4)) ==
        "queue " + std::to_string(other) +
            "  from 10.0.3.9 to 10.0.3.7:53 udp: 0 of 100 source ports in 40000-40099\n" +
            "  why        ports are not hashed: every port meets queue " + std::to_string(home) + "\n");
  const auto choice = choose_ports(answer.rss.config, flow, {40000, 40099}, home, 2);
  CHECK(choice.ports == std::vector<std::uint16_t>{40000, 40050});
  CHECK(ports_text(choice).find("volley probe --udp --source-ports 40000,40050 10.0.3.7:53\n") != std::string::npos);
}

TEST_CASE("without a queue the ports are counted for each") {
  const auto answer = answer_for("ethtool-real/virtio_net.ethtool-7.2.x.txt");
  const auto flow = flow_of("10.0.3.9", 0, "10.0.3.7", 443);
  CHECK(ports_text(choose_ports(answer.rss.config, flow, {32768, 65535}, std::nullopt, 4)) ==
        "from 10.0.3.9 to 10.0.3.7:443 tcp, source ports 32768-65535\n"
        "queue  ports    share\n"
        "    0   8192   25.0 %\n"
        "    1   8192   25.0 %\n"
        "    2   8192   25.0 %\n"
        "    3   8192   25.0 %\n");
}

TEST_CASE("JSON has the same numbers") {
  auto answer = answer_for("ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt");
  const std::vector<wire::Flow> flows{flow_of("66.9.149.187", 2794, "161.142.100.80", 1766),
                                      flow_of("66.9.149.187", 0, "161.142.100.80", 0, wire::IpProtocol::icmp)};
  answer.flows = queues_of(answer.rss.config, flows);
  answer.ports =
      choose_ports(answer.rss.config, flow_of("10.0.3.9", 0, "10.0.3.7", 443), {32768, 65535}, QueueId{3}, 2);
  answer.source = "web7\xff.txt";
  const auto text = to_json(answer, "1.2.3");
  CHECK(text.back() == '\n');
  const auto json = nlohmann::json::parse(text);
  CHECK(json["schema"] == "volley.rss/1");
  CHECK(json["version"] == "1.2.3");
  CHECK(json["config"]["interface"] == "eth0");
  CHECK(json["config"]["rings"] == 8);
  CHECK(json["config"]["function"] == "toeplitz");
  CHECK(json["config"]["input_transformation"] == "none");
  CHECK(json["config"]["key"].get<std::string>().starts_with("6d:5a:56:da:"));
  CHECK(json["config"]["key_name"] == "microsoft");
  CHECK(json["config"]["table"].size() == 128);
  CHECK(json["config"]["hashed_fields"]["udp"]["ipv4"] == "addresses_and_ports");
  CHECK(json["config"]["hashed_fields"]["udp"]["stated"] == false);
  CHECK(json["queues"].size() == 8);
  CHECK(json["queues"][3] == nlohmann::json{{"queue", 3}, {"entries", 16}, {"share", 0.125}});
  CHECK(json["flows"][0] == nlohmann::json{{"protocol", "tcp"},
                                           {"source", "66.9.149.187"},
                                           {"source_port", 2794},
                                           {"destination", "161.142.100.80"},
                                           {"destination_port", 1766},
                                           {"hash", 0x51ccc178U},
                                           {"entry", 120},
                                           {"queue", 0}});
  CHECK(json["flows"][1]["source_port"].is_null());
  CHECK(json["source_ports"]["queue"] == 3);
  CHECK(json["source_ports"]["ports"].size() == 2);
  CHECK(json["source_ports"]["queues"][3]["count"] == 4096);
  CHECK(json["notes"].size() == answer.caveats.size());
  answer.ports.reset();
  CHECK(nlohmann::json::parse(to_json(answer, "1"))["source_ports"].is_null());
}

TEST_CASE("words and numbers of this room") {
  CHECK(hex_hash(0x0040000aU) == "0x0040000a");
  CHECK(percent(0.125) == "12.5 %");
  CHECK(percent(1) == "100.0 %");
  CHECK(number_ranges({}).empty());
  const std::vector<std::size_t> numbers{0, 1, 2, 3, 5, 7, 8};
  CHECK(number_ranges(numbers) == "0-3 5 7 8");
  CHECK(wrapped("one two three", 2, "--", 9) == "one two\n--three");
  CHECK(wrapped("extraordinarily", 2, "--", 9) == "extraordinarily");
  CHECK(wrapped("", 2, "--", 9).empty());
}

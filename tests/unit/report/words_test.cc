// The words that all formats share.
#include "volley/report/words.h"

#include <catch2/catch.hpp>
#include <set>

#include "samples.h"

using namespace volley::report;
namespace probe = volley::probe;

TEST_CASE("port lists read back as --source-ports", "[report][words]") {
  CHECK(port_ranges({}).empty());
  CHECK(port_ranges({33017}) == "33017");
  CHECK(port_ranges({1, 2, 3, 7, 9, 10}) == "1-3,7,9-10");
  CHECK(port_ranges({65534, 65535}) == "65534-65535");
}

TEST_CASE("TCP flags by name", "[report][words]") {
  CHECK(tcp_flags_text(0x02) == "SYN");
  CHECK(tcp_flags_text(0x12) == "SYN,ACK");
  CHECK(tcp_flags_text(0x29) == "FIN,PSH,URG");
  CHECK(tcp_flags_text(0) == "none");
}

TEST_CASE("singular and plural", "[report][words]") {
  CHECK(counted(1, "queue", "queues") == "1 queue");
  CHECK(counted(0, "queue", "queues") == "0 queues");
  CHECK(counted(8, "queue", "queues") == "8 queues");
}

TEST_CASE("a name is shown with its address, an address once", "[report][words]") {
  CHECK(host_text(samples::bad_queue().result.destinations.front()) == "web7 (10.0.3.7)");
  CHECK(host_text(samples::nothing_wrong().result.destinations.front()) == "10.0.3.7");
  CHECK(service_text(probe::Protocol::udp, 53) == "udp/53");
  CHECK(service_text(probe::Protocol::icmp, 0) == "icmp");
}

TEST_CASE("every reason has a key and an explanation of its own", "[report][words]") {
  std::set<std::string> keys;
  std::set<std::string> explanations;
  for (std::size_t i = 1; i < volley::stats::LocalResult{}.not_sent.size(); ++i) {
    keys.insert(std::string(key_of(static_cast<probe::NotSentReason>(i))));
    explanations.insert(std::string(explanation_of(static_cast<probe::NotSentReason>(i))));
  }
  CHECK(keys.size() == 7);
  CHECK(explanations.size() == 7);
  CHECK_FALSE(keys.contains(""));
}

TEST_CASE("queues are counted by what the table names", "[report][words]") {
  volley::rss::RssConfig config;
  CHECK(distinct_queues(config) == 0);
  config.table = {4, 5, 4, 5};
  CHECK(distinct_queues(config) == 2);
}

TEST_CASE("the UDP payload by the option's word", "[report][words]") {
  probe::ProbePlan plan;
  CHECK(udp_payload_text(plan) == "sized");
  plan.udp_payload = probe::UdpPayload::custom;
  plan.custom_payload = {0x0a, 0xff};
  CHECK(udp_payload_text(plan) == "0aff");
}

// Port records and tails against exact counts, and the limits of the table.
#include "volley/stats/port_table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <random>

namespace volley::stats {
namespace {

std::vector<std::uint16_t> port_set(std::size_t count, std::uint16_t first = 32'768) {
  std::vector<std::uint16_t> ports(count);
  std::iota(ports.begin(), ports.end(), first);
  return ports;
}

void answer(PortTable& table, std::uint32_t destination, std::uint16_t port, std::int64_t rtt_ns) {
  PortRecord* record = table.find(destination, port);
  REQUIRE(record != nullptr);
  ++record->sent;
  ++record->answered;
  table.record_rtt(destination, *record, rtt_ns);
}

}  // namespace

TEST_CASE("tails equal exact counts, before and after the thresholds are chosen", "[stats]") {
  const std::size_t replies = GENERATE(std::size_t{1}, std::size_t{100}, std::size_t{255}, std::size_t{256},
                                       std::size_t{257}, std::size_t{20'000});
  const auto ports = port_set(64);
  const PortIndex index(ports);
  PortTable table(index, 2);
  std::mt19937_64 random(replies);
  std::map<std::uint16_t, std::vector<std::int64_t>> truth;
  for (std::size_t i = 0; i < replies; ++i) {
    const auto port = static_cast<std::uint16_t>(32'768 + random() % 64);
    const auto rtt = static_cast<std::int64_t>(80'000 + random() % 40'000 + (random() % 20 == 0 ? 5'000'000U : 0U));
    answer(table, 1, port, rtt);
    truth[port].push_back(rtt);
  }
  DestinationResult result;
  table.fill(1, ports, 100'000, result);
  REQUIRE(result.ports.size() == truth.size());
  CHECK(result.source_ports_used == truth.size());
  REQUIRE(result.tails.thresholds_ns.size() == kTailThresholds);
  REQUIRE(result.tails.above.size() == truth.size() * kTailThresholds);
  CHECK(result.slow_threshold_ns >= 400'000);
  CHECK(result.slow_threshold_ns < 600'000);
  CHECK(std::count(result.tails.thresholds_ns.begin(), result.tails.thresholds_ns.end(), result.slow_threshold_ns) ==
        1);
  const auto above = [](const std::vector<std::int64_t>& values, std::int64_t threshold) {
    return static_cast<std::uint64_t>(
        std::count_if(values.begin(), values.end(), [&](std::int64_t value) { return value > threshold; }));
  };
  for (std::size_t p = 0; p < result.ports.size(); ++p) {
    const PortResult& port = result.ports[p];
    const auto& values = truth.at(port.port);
    REQUIRE(port.rtt_count == values.size());
    REQUIRE(port.rtt_min_ns == *std::min_element(values.begin(), values.end()));
    REQUIRE(port.rtt_max_ns == *std::max_element(values.begin(), values.end()));
    const auto sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    REQUIRE(std::abs(port.rtt_mean_ns * static_cast<std::int64_t>(values.size()) - sum) <=
            static_cast<std::int64_t>(values.size()));
    REQUIRE(port.slow == above(values, result.slow_threshold_ns));
    for (std::size_t t = 0; t < kTailThresholds; ++t) {
      REQUIRE(result.tails.above[p * kTailThresholds + t] == above(values, result.tails.thresholds_ns[t]));
    }
  }
}

TEST_CASE("destinations don't mix", "[stats]") {
  const auto ports = port_set(4);
  const PortIndex index(ports);
  PortTable table(index, 3);
  for (int i = 0; i < 300; ++i) answer(table, 0, 32'769, 100);
  for (int i = 0; i < 3; ++i) answer(table, 2, 32'770, 900'000);
  DestinationResult first;
  table.fill(0, ports, 100, first);
  DestinationResult second;
  table.fill(1, ports, 0, second);
  DestinationResult third;
  table.fill(2, ports, 900'000, third);
  REQUIRE(first.ports.size() == 1);
  CHECK(first.ports[0].port == 32'769);
  CHECK(first.ports[0].answered == 300);
  CHECK(first.tails.thresholds_ns[0] == 100);
  CHECK(second.ports.empty());
  CHECK(second.tails.thresholds_ns.empty());
  CHECK(second.slow_threshold_ns == 0);
  REQUIRE(third.ports.size() == 1);
  CHECK(third.tails.thresholds_ns[0] == 900'000);
}

TEST_CASE("ports that only lost are listed, without RTT", "[stats]") {
  const auto ports = port_set(4);
  const PortIndex index(ports);
  PortTable table(index, 1);
  PortRecord* record = table.find(0, 32'771);
  record->sent = 5;
  record->lost = 5;
  record->reverse = 2;
  DestinationResult result;
  table.fill(0, ports, 0, result);
  REQUIRE(result.ports.size() == 1);
  CHECK(result.ports[0].lost == 5);
  CHECK(result.ports[0].reverse == 2);
  CHECK(result.ports[0].rtt_count == 0);
  CHECK(result.ports[0].slow == 0);
  CHECK(result.tails.above.empty());
}

TEST_CASE("records end at 65,536 pairs and 1,024 destinations", "[stats]") {
  const PortIndex many(port_set(30'000));
  PortTable two(many, 5);
  CHECK(two.has_records(1));
  CHECK_FALSE(two.has_records(2));
  CHECK(two.find(1, 32'768) != nullptr);
  CHECK(two.find(2, 32'768) == nullptr);
  CHECK(two.find(0, 1) == nullptr);
  const PortIndex few(port_set(1));
  PortTable limited(few, 100'000);
  CHECK(limited.has_records(1'023));
  CHECK_FALSE(limited.has_records(1'024));
  CHECK(limited.memory_bytes() < 6'000'000);
  const PortIndex none({});
  CHECK_FALSE(PortTable(none, 3).has_records(0));
  CHECK(PortTable(PortIndex(port_set(32'768)), 1).memory_bytes() < 7'000'000);
}

}  // namespace volley::stats

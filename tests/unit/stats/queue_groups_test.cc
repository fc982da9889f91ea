// Remote and local queue groups: who goes where, and the limits.
#include "volley/stats/queue_groups.h"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>

namespace volley::stats {
namespace {

probe::ProbePlan rss_plan(std::size_t destinations, std::size_t ports, std::uint16_t queues) {
  probe::ProbePlan plan;
  for (std::size_t i = 0; i < destinations; ++i) {
    probe::Destination destination;
    destination.address.octets = {10, 0, static_cast<std::uint8_t>(i >> 8U), static_cast<std::uint8_t>(i)};
    destination.source.octets = {10, 9, 9, 9};
    destination.port = 443;
    plan.destinations.push_back(destination);
  }
  plan.source_ports.resize(ports);
  std::iota(plan.source_ports.begin(), plan.source_ports.end(), std::uint16_t{32'768});
  rss::RssConfig rss;
  for (std::size_t i = 0; i < 40; ++i) rss.key.push_back(static_cast<std::uint8_t>(37 * i + 11));
  for (std::size_t i = 0; i < 128; ++i) rss.table.push_back(static_cast<rss::QueueId>(i % queues));
  plan.rss = rss;
  return plan;
}

}  // namespace

TEST_CASE("a probe counts in the queue that the plan predicts", "[stats]") {
  // 40 x 2048 pairs: more than are computed ahead.
  const auto plan = rss_plan(40, 2'048, 8);
  const PortIndex index(plan.source_ports);
  OctaveArena arena(kGroupBits, 1);
  RemoteQueues remote(plan, index, arena);
  std::map<std::pair<std::uint32_t, rss::QueueId>, std::uint64_t> truth;
  for (const std::uint32_t destination : {0U, 31U, 32U, 39U}) {
    for (const std::uint16_t port : plan.source_ports) {
      ++remote.group(destination, port).sent;
      ++truth[{destination, probe::remote_queue(plan, plan.destinations[destination], port)}];
    }
    const auto results = remote.results(destination, {});
    REQUIRE(results.size() == 8);
    for (const QueueResult& result : results) REQUIRE(result.sent == truth[{destination, result.queue}]);
  }
}

TEST_CASE("ICMP has one queue a destination", "[stats]") {
  auto plan = rss_plan(3, 0, 8);
  plan.protocol = probe::Protocol::icmp;
  const PortIndex index(plan.source_ports);
  OctaveArena arena(kGroupBits, 1);
  RemoteQueues remote(plan, index, arena);
  for (int i = 0; i < 7; ++i) ++remote.group(2, 0).sent;
  for (const QueueResult& result : remote.results(2, {})) {
    CHECK(result.sent == (result.queue == probe::remote_queue(plan, plan.destinations[2], 0) ? 7U : 0U));
  }
}

TEST_CASE("queues that no probe reached are listed, queues outside the table not", "[stats]") {
  auto plan = rss_plan(1, 4, 2);
  plan.rss->table = {5, 5, 9, 9};
  const PortIndex index(plan.source_ports);
  OctaveArena arena(kGroupBits, 1);
  const RemoteQueues remote(plan, index, arena);
  const auto results = remote.results(0, {});
  REQUIRE(results.size() == 2);
  CHECK(results[0].queue == 5);
  CHECK(results[1].queue == 9);
  CHECK(results[1].sent == 0);
  CHECK(results[1].loss.high == 1.0);
}

TEST_CASE("without RSS, and beyond the limit, there are no remote queues", "[stats]") {
  auto plan = rss_plan(100, 1, 128);
  const PortIndex index(plan.source_ports);
  OctaveArena arena(kGroupBits, 1);
  const RemoteQueues limited(plan, index, arena);
  CHECK(limited.has_records(63));
  CHECK_FALSE(limited.has_records(64));
  CHECK(limited.results(64, {}).empty());
  plan.rss.reset();
  CHECK_FALSE(RemoteQueues(plan, index, arena).has_records(0));
  CHECK(RemoteQueues::group_count(plan) == 0);
}

TEST_CASE("local queues are found again, each for its destination", "[stats]") {
  OctaveArena arena(kGroupBits, 100);
  LocalQueues local(3, arena);
  for (const rss::QueueId queue : std::vector<rss::QueueId>{7, 0, 65'535, 3}) {
    QueueGroup* group = local.find(1, queue);
    REQUIRE(group != nullptr);
    group->answered += queue + 1U;
    group->rtt.record(1'000 + queue);
    REQUIRE(local.find(1, queue) == group);
  }
  REQUIRE(local.find(2, 7) != local.find(1, 7));
  const auto results = local.results(1, {});
  REQUIRE(results.size() == 4);
  CHECK(results[0].queue == 0);
  CHECK(results[1].queue == 3);
  CHECK(results[2].queue == 7);
  CHECK(results[3].queue == 65'535);
  CHECK(results[3].answered == 65'536);
  CHECK(results[3].rtt.max_ns == 66'535);
  CHECK(local.results(0, {}).empty());
}

TEST_CASE("local groups run out without harm", "[stats]") {
  OctaveArena arena(kGroupBits, 1);
  LocalQueues local(1, arena);
  std::size_t found = 0;
  for (std::uint32_t queue = 0; queue < 300; ++queue) {
    if (local.find(0, static_cast<rss::QueueId>(queue)) != nullptr) ++found;
  }
  CHECK(found == LocalQueues::group_count(1));
  CHECK(found == 128);
  CHECK(local.find(0, 5) != nullptr);
  CHECK(local.find(0, 299) == nullptr);
  CHECK(local.results(0, {}).size() == found);
}

}  // namespace volley::stats

// Tests of the order of source ports: rest, uniformity, equal shares per queue.
#include "volley/probe/port_order.h"

#include <catch2/catch.hpp>
#include <map>

#include "sample_plan.h"
#include "volley/probe/port_rest.h"

using namespace volley;
using namespace volley::probe;

namespace {

struct Draws {
  std::vector<std::uint16_t> ports;
  std::uint64_t shortest_gap = ~std::uint64_t{0};
  std::map<std::uint16_t, std::uint64_t> counts;
};

Draws draw(const ProbePlan& plan, std::size_t count) {
  Generator generator(plan.seed);
  PortOrder order(plan, plan.destinations[0], generator);
  Draws draws;
  std::map<std::uint16_t, std::uint64_t> last;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t port = order.next(generator);
    const auto seen = last.find(port);
    if (seen != last.end()) draws.shortest_gap = std::min(draws.shortest_gap, i - seen->second);
    last[port] = i;
    draws.ports.push_back(port);
    ++draws.counts[port];
  }
  return draws;
}

double chi_squared(const std::map<std::uint16_t, std::uint64_t>& counts, double expected) {
  double sum = 0;
  for (const auto& [port, count] : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

}  // namespace

TEST_CASE("a port rests for 1.25 s of its destination's schedule", "[port_order]") {
  const ProbePlan plan = sample::plan(sample::request());
  const Draws draws = draw(plan, 100'000);
  CHECK(draws.counts.size() == 2048);
  CHECK(draws.shortest_gap > 1250 - 1);
  CHECK(draws.shortest_gap < 1400);  // and comes back soon after, at times
}

TEST_CASE("where the set is too small half of it rests", "[port_order]") {
  PlanRequest request = sample::request();
  request.source_port_count = 512;
  CHECK(draw(sample::plan(request), 20'000).shortest_gap == 257);
  ProbePlan plan = sample::plan(request);
  plan.rate_pps = 0.0;
  CHECK(draw(plan, 20'000).shortest_gap == 257);
  CHECK(rest_draws(1000, 1) == 0);
}

TEST_CASE("with several destinations each has its own schedule", "[port_order]") {
  PlanRequest request = sample::request();
  for (std::uint16_t port = 1; port <= 3; ++port) request.destinations.push_back(sample::destination("10.0.3.7", port));
  const ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 512);  // 250/s each
  CHECK(draw(plan, 20'000).shortest_gap > 312);
}

TEST_CASE("all ports are used equally", "[port_order]") {
  PlanRequest request = sample::request();
  request.source_port_count = 256;
  request.rate_pps = 100;
  const Draws draws = draw(sample::plan(request), 256'000);
  // Resting makes counts more even than chance would: the statistic is small.
  CHECK(chi_squared(draws.counts, 1000.0) < 330.5);  // 255 degrees of freedom, p = 0.001
}

TEST_CASE("the next port is not fixed by the one before", "[port_order]") {
  PlanRequest request = sample::request();
  request.source_port_count = 16;
  request.rate_pps = 1;  // two of 16 rest
  const Draws draws = draw(sample::plan(request), 160'000);
  std::map<std::uint16_t, std::uint64_t> steps;
  for (std::size_t i = 1; i < draws.ports.size(); ++i) {
    ++steps[static_cast<std::uint16_t>((draws.ports[i] - draws.ports[i - 1]) & 15U)];
  }
  steps.erase(0);
  CHECK(chi_squared(steps, 159'999.0 / 15) < 36.1);  // 14 degrees of freedom, p = 0.001
}

TEST_CASE("one port, two ports", "[port_order]") {
  PlanRequest request = sample::request();
  request.listed_source_ports = {40000};
  CHECK(draw(sample::plan(request), 10).counts[40000] == 10);
  request.listed_source_ports = {40000, 40001};
  CHECK(draw(sample::plan(request), 10).shortest_gap == 2);
}

TEST_CASE("with RSS known the queues take turns", "[port_order]") {
  PlanRequest request = sample::request();
  request.rss = sample::rss_config(8);
  const ProbePlan plan = sample::plan(request);
  const Draws draws = draw(plan, 80'000);
  CHECK(draws.counts.size() == 2048);
  CHECK(draws.shortest_gap > 1250 - 8);
  std::map<std::uint16_t, std::uint64_t> queues;
  std::map<std::uint16_t, std::uint64_t> firsts;
  for (std::size_t i = 0; i < draws.ports.size(); ++i) {
    const rss::QueueId queue = remote_queue(plan, plan.destinations[0], draws.ports[i]);
    ++queues[queue];
    if (i % 8 == 0) ++firsts[queue];
  }
  REQUIRE(queues.size() == 8);
  for (const auto& [queue, count] : queues) CHECK(count == 10'000);
  CHECK(chi_squared(firsts, 10'000.0 / 8) < 24.3);  // 7 degrees of freedom, p = 0.001
}

TEST_CASE("uneven queues are drawn equally, their ports not", "[port_order]") {
  PlanRequest request = sample::request();
  request.rss = sample::rss_config(3);  // 43, 43 and 42 of 128 entries
  const ProbePlan plan = sample::plan(request);
  std::map<std::uint16_t, std::uint64_t> queues;
  for (const std::uint16_t port : draw(plan, 30'000).ports) ++queues[remote_queue(plan, plan.destinations[0], port)];
  for (const auto& [queue, count] : queues) CHECK(count == 10'000);
}

TEST_CASE("--queue draws that queue's ports for each destination", "[port_order]") {
  PlanRequest request = sample::request();
  request.rss = sample::rss_config(8);
  request.only_queue = 2;
  request.destinations.push_back(sample::destination("10.0.3.8", 80));
  const ProbePlan plan = sample::plan(request);
  Generator generator(1);
  for (const Destination& to : plan.destinations) {
    PortOrder order(plan, to, generator);
    CHECK(order.group_count() == 1);
    for (int i = 0; i < 1000; ++i) REQUIRE(remote_queue(plan, to, order.next(generator)) == 2);
  }
}

TEST_CASE("the order follows from the seed", "[port_order]") {
  ProbePlan plan = sample::plan(sample::request());
  const auto first = draw(plan, 100).ports;
  CHECK(draw(plan, 100).ports == first);
  plan.seed = 99;
  CHECK(draw(plan, 100).ports != first);
}

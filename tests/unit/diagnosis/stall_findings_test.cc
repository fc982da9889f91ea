// Tests of diagnosis/stall_findings: a queue that stands still is named, our own
// pauses are not. One thread.
#include "volley/diagnosis/stall_findings.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "run_findings.h"
#include "simulated_run.h"
#include "volley/diagnosis/diagnose.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

namespace {

constexpr std::int64_t kMs = 1'000'000;

// 200 ms every 2 s, from the first second on.
template <typename IsHeld>
auto periodic(IsHeld is_held) {
  return [is_held](std::uint16_t port, std::int64_t sent_ns) -> std::int64_t {
    const std::int64_t phase = (sent_ns + 1000 * kMs) % (2000 * kMs);
    return is_held(port) && phase < 200 * kMs ? 200 * kMs - phase : 0;
  };
}

void add_timeline(SimulatedRun& run, std::int64_t gap_begin_ns, std::int64_t gap_end_ns) {
  run.result.timeline.bin_ns = 10 * kMs;
  for (std::int64_t t = 0; t < 10'000 * kMs; t += 10 * kMs) {
    stats::TimelineBin bin;
    bin.t_ns = t;
    bin.sent = t >= gap_begin_ns && t < gap_end_ns ? 0 : 10;
    run.result.timeline.bins.push_back(bin);
  }
}

}  // namespace

TEST_CASE("a known queue that stands still: which, how often, how long, what beat; and nothing else") {
  const auto rss = random_rss(5, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.is_rss_given = true};
  options.delay = periodic([&](std::uint16_t port) { return queue_of(port) == 2; });
  const SimulatedRun run = simulate(options, &rss);
  const auto findings = diagnose(run.plan, run.result);
  for (const Finding& finding : findings) UNSCOPED_INFO(all_text(finding));
  REQUIRE(findings.size() == 1);
  const Finding& finding = findings[0];
  CHECK(finding.kind == FindingKind::stall);
  CHECK(finding.summary.starts_with("queue 2 stands still: 5 times "));
  CHECK(finding.summary.find("every 2.00 s") != std::string::npos);
  CHECK(*finding.p_value < 1e-9);
  CHECK(evidence<std::int64_t>(finding, "length_median_ns") == Approx(200.0 * kMs).margin(15.0 * kMs));
  CHECK(evidence<double>(finding, "share") == Approx(0.125).epsilon(0.3));
  for (const std::uint16_t port : finding.ports) CHECK(queue_of(port) == 2);
}

TEST_CASE("without RSS the part of the ports is found, and all of them if all stood still") {
  const auto rss = random_rss(6, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options;
  options.delay = periodic([&](std::uint16_t port) { return queue_of(port) == 2; });
  SimulatedRun run = simulate(options);
  auto findings = diagnose(run.plan, run.result);
  CHECK(
      get(findings, FindingKind::stall).summary.starts_with("a part of the target (about 1 queue in 8) stands still"));
  CHECK_FALSE(has(findings, FindingKind::flow_bound_slow));
  options.delay = periodic([](std::uint16_t) { return true; });
  run = simulate(options);
  findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].summary.starts_with("the target or the path stands still: 5 times"));
  CHECK(evidence<double>(findings[0], "share") == Approx(1.0).epsilon(0.1));
}

TEST_CASE("a pause of the sender is no stall of the target") {
  RunOptions options;
  options.delay = [](std::uint16_t, std::int64_t sent_ns) -> std::int64_t {
    return sent_ns >= 4000 * kMs && sent_ns < 4200 * kMs ? 4200 * kMs - sent_ns : 0;
  };
  SimulatedRun run = simulate(options);
  add_timeline(run, 4010 * kMs, 4190 * kMs);
  CHECK_FALSE(has(diagnose(run.plan, run.result), FindingKind::stall));
  run.result.timeline = {};
  add_timeline(run, 0, 0);
  CHECK(has(diagnose(run.plan, run.result), FindingKind::stall));
}

TEST_CASE("replies that one receive queue of this host held are its own affair") {
  RunOptions options;
  const auto local_queue = [](std::uint16_t port) {
    return static_cast<rss::QueueId>((port * 2654435761U >> 16U) % 4U);
  };
  options.delay = periodic([&](std::uint16_t port) { return local_queue(port) == 1; });
  SimulatedRun run = simulate(options);
  for (auto& reply : run.result.slow_replies) reply.local_queue = local_queue(reply.source_port);
  for (rss::QueueId queue = 0; queue < 4; ++queue) {
    stats::QueueResult result;
    result.queue = queue;
    result.answered = 2500;
    run.result.destinations[0].local_queues.push_back(result);
  }
  const auto findings = diagnose(run.plan, run.result);
  CHECK(get(findings, FindingKind::stall).summary.starts_with("receive queue 1 of this host stands still"));
}

TEST_CASE("stalls as they read", "[.show]") {
  const auto rss = random_rss(5, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.is_rss_given = true};
  options.delay = periodic([&](std::uint16_t port) { return queue_of(port) == 2; });
  SimulatedRun run = simulate(options, &rss);
  for (const Finding& finding : diagnose(run.plan, run.result)) std::printf("%s", all_text(finding).c_str());
  run = simulate({.delay = options.delay});
  for (const Finding& finding : diagnose(run.plan, run.result)) std::printf("%s", all_text(finding).c_str());
}

// Tests of diagnosis/bound_findings, flow_bound, bound_search and rss_mismatch:
// what whole runs with known truth are said to be. One thread.
//
// "[.show]" prints the findings as they read.
#include "volley/diagnosis/bound_findings.h"

#include <catch2/catch.hpp>
#include <cstdio>

#include "run_findings.h"
#include "simulated_run.h"
#include "volley/diagnosis/diagnose.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

namespace {

// A hash that is no linear one, as steering in software has.
bool is_in_part(std::uint16_t port, std::uint64_t seed, std::uint64_t parts) {
  std::mt19937_64 hash(port * 1000003ULL + seed);
  return hash() % parts == 0;
}

std::int64_t jittered(std::mt19937_64& random) {
  return 80'000 + static_cast<std::int64_t>(std::exponential_distribution<double>(1.0 / 50'000.0)(random));
}

}  // namespace

TEST_CASE("without RSS: the bad part of the ports is named, with its share and its ports") {
  int right = 0;
  for (std::uint64_t key = 1; key <= 5; ++key) {
    const auto rss = random_rss(key, 8, 128);
    const auto queue_of = queues_of(rss);
    RunOptions options{.seed = key};
    options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 ? 0.05 : 0.0; };
    const SimulatedRun run = simulate(options);
    const auto findings = diagnose(run.plan, run.result);
    REQUIRE(findings.size() == 1);
    const Finding& finding = findings[0];
    REQUIRE(finding.kind == FindingKind::flow_bound_loss);
    CHECK(finding.severity == Severity::critical);
    CHECK(*finding.p_value < 1e-9);
    CHECK(evidence<double>(finding, "share") == Approx(0.125));
    CHECK(evidence<std::string>(finding, "linear") == "yes");
    CHECK(finding.summary == "loss follows the flow's hash: about 1 queue in 8");
    right += std::all_of(finding.ports.begin(), finding.ports.end(), [&](auto port) { return queue_of(port) == 3; });
  }
  CHECK(right == 5);
}

TEST_CASE("without RSS: slowness is found as loss is") {
  int right = 0;
  for (std::uint64_t key = 1; key <= 6; ++key) {
    const auto rss = random_rss(key, 8, 128);
    const auto queue_of = queues_of(rss);
    RunOptions options{.seed = key};
    options.rtt = [&](std::uint16_t port, std::mt19937_64& random) {
      return jittered(random) + (queue_of(port) == 5 ? 300'000 : 0);
    };
    const SimulatedRun run = simulate(options);
    const auto findings = diagnose(run.plan, run.result);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::flow_bound_slow);
    CHECK(*findings[0].p_value < 1e-6);
    right += evidence<double>(findings[0], "share") == Approx(0.125) &&
                     std::all_of(findings[0].ports.begin(), findings[0].ports.end(),
                                 [&](auto port) { return queue_of(port) == 5; })
                 ? 1
                 : 0;
  }
  CHECK(right >= 5);
}

TEST_CASE("a hash that is not linear: bound to the flow, without a structure") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RunOptions options{.probes = 60'000, .port_bits = 8, .seed = seed};
    options.loss = [seed](std::uint16_t port) { return is_in_part(port, seed, 8) ? 0.05 : 0.0; };
    const SimulatedRun run = simulate(options);
    const auto findings = diagnose(run.plan, run.result);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].kind == FindingKind::flow_bound_loss);
    CHECK(evidence<std::string>(findings[0], "linear") == "no");
    CHECK(evidence<double>(findings[0], "share") == Approx(0.125).epsilon(0.5));
    for (const std::uint16_t port : findings[0].ports) CHECK(is_in_part(port, seed, 8));
  }
}

TEST_CASE("the right RSS names the queue, a wrong one is refuted") {
  int refuted_right = 0;
  int refuted_wrong = 0;
  constexpr int kRuns = 8;
  for (std::uint64_t key = 1; key <= kRuns; ++key) {
    const auto truth = random_rss(key, 8, 128);
    const auto wrong = random_rss(key + 1000, 8, 128);
    const auto queue_of = queues_of(truth);
    RunOptions options{.seed = key, .is_rss_given = true};
    options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 ? 0.04 : 0.0; };
    SimulatedRun run = simulate(options, &truth);
    auto findings = diagnose(run.plan, run.result);
    refuted_right += has(findings, FindingKind::rss_mismatch) ? 1 : 0;
    CHECK(get(findings, FindingKind::queue_loss).summary == "queue 3 loses packets");
    CHECK_FALSE(has(findings, FindingKind::flow_bound_loss));
    run = simulate(options, &wrong);
    findings = diagnose(run.plan, run.result);
    refuted_wrong += has(findings, FindingKind::rss_mismatch) && has(findings, FindingKind::flow_bound_loss) ? 1 : 0;
    CHECK_FALSE(has(findings, FindingKind::queue_loss));
  }
  CHECK(refuted_right == 0);
  CHECK(refuted_wrong >= kRuns - 1);
}

TEST_CASE("uniform loss is called uniform, and nothing else") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    RunOptions options{.seed = seed};
    options.loss = [](std::uint16_t) { return 0.01; };
    const SimulatedRun run = simulate(options);
    const auto findings = diagnose(run.plan, run.result);
    REQUIRE(findings.size() == 1);
    CHECK((findings[0].kind == FindingKind::uniform_loss || findings[0].kind == FindingKind::not_enough_probes));
    CHECK_FALSE(findings[0].p_value);
  }
}

TEST_CASE("a listed set of ports is searched like any other") {
  const auto rss = random_rss(4, 4, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.probes = 6'000, .seed = 2};
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 1 ? 1.0 : 0.0; };
  SimulatedRun run = simulate(options);
  // Every third port alone, as if the others had not been listed.
  stats::DestinationResult& destination = run.result.destinations[0];
  std::erase_if(destination.ports, [](const stats::PortResult& port) { return port.port % 3 != 0; });
  destination.tails = {};
  destination.lost = destination.answered = 0;
  double bad = 0.0;
  for (const auto& port : destination.ports) {
    bad += queue_of(port.port) == 1 ? 1.0 : 0.0;
    destination.lost += port.lost;
    destination.answered += port.answered;
  }
  const auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::flow_bound_loss);
  CHECK(evidence<double>(findings[0], "share") == Approx(bad / static_cast<double>(destination.ports.size())));
}

TEST_CASE("findings as they read", "[.show]") {
  const auto rss = random_rss(5, 8, 128);
  const auto wrong = random_rss(77, 8, 128);
  const auto queue_of = queues_of(rss);
  const auto print = [](const char* title, const SimulatedRun& run) {
    std::printf("--- %s\n", title);
    for (const Finding& finding : diagnose(run.plan, run.result)) std::printf("%s", all_text(finding).c_str());
  };
  RunOptions options;
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 ? 0.05 : 0.0; };
  print("blind loss", simulate(options));
  options.is_rss_given = true;
  print("known loss", simulate(options, &rss));
  print("wrong RSS", simulate(options, &wrong));
  options.is_rss_given = false;
  options.probes = 100'000;
  options.loss = [](std::uint16_t port) { return is_in_part(port, 3, 8) ? 0.1 : 0.0; };
  print("no linear hash", simulate(options));
  options.loss = [](std::uint16_t) { return 0.01; };
  print("uniform", simulate(options));
  options.loss = nullptr;
  options.probes = 10'000;
  options.rtt = [&](std::uint16_t port, std::mt19937_64& random) {
    return jittered(random) + (queue_of(port) == 5 ? 300'000 : 0);
  };
  print("blind slow", simulate(options));
  options.is_rss_given = true;
  print("known slow", simulate(options, &rss));
}

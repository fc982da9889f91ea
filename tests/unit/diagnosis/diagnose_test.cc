// Tests of diagnosis/diagnose: what is said about whole runs, and what is not. One thread.
#include "volley/diagnosis/diagnose.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "run_findings.h"
#include "simulated_run.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

TEST_CASE("a run without loss has no finding") {
  const auto rss = random_rss(3, 8, 128);
  const SimulatedRun run = simulate({.is_rss_given = true}, &rss);
  CHECK(diagnose(run.plan, run.result).empty());
}

TEST_CASE("a known queue that loses is named, with counts, ports and a command") {
  const auto rss = random_rss(5, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.is_rss_given = true};
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 ? 0.05 : 0.0; };
  const SimulatedRun run = simulate(options, &rss);
  const auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  const Finding& finding = findings[0];
  CHECK(finding.kind == FindingKind::queue_loss);
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.summary == "queue 3 loses packets");
  CHECK(*finding.p_value < 1e-40);
  CHECK(evidence<std::vector<std::int64_t>>(finding, "queues") == std::vector<std::int64_t>{3});
  CHECK(evidence<std::int64_t>(finding, "lost") == static_cast<std::int64_t>(run.result.destinations[0].lost));
  CHECK(evidence<std::int64_t>(finding, "others_lost") == 0);
  REQUIRE(finding.ports.size() == 4);
  CHECK(std::is_sorted(finding.ports.begin(), finding.ports.end()));
  for (const std::uint16_t port : finding.ports) CHECK(queue_of(port) == 3);
  INFO(all_text(finding));
  CHECK(all_text(finding).find("on the other queues; p < 1e-") != std::string::npos);
  CHECK(all_text(finding).find("try ssh web7 ethtool -x DEV | sudo volley probe --rss - --queue 3 web7:443") !=
        std::string::npos);
}

TEST_CASE("two bad queues are named together, a queue that loses all as such") {
  const auto rss = random_rss(6, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.is_rss_given = true};
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 || queue_of(port) == 6 ? 0.04 : 0.001; };
  SimulatedRun run = simulate(options, &rss);
  CHECK(get(diagnose(run.plan, run.result), FindingKind::queue_loss).summary == "queues 3 and 6 lose packets");
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 0 ? 1.0 : 0.0; };
  run = simulate(options, &rss);
  CHECK(get(diagnose(run.plan, run.result), FindingKind::queue_loss).summary == "queue 0 loses every packet");
}

TEST_CASE("a known queue that is slow is named, one that differs a little is not") {
  const auto rss = random_rss(5, 8, 128);
  const auto queue_of = queues_of(rss);
  const auto slow_by = [&](std::int64_t shift_ns, double share) {
    RunOptions options{.is_rss_given = true};
    options.rtt = [&, shift_ns, share](std::uint16_t port, std::mt19937_64& random) {
      std::exponential_distribution<double> jitter(1.0 / 20'000.0);
      const bool is_slow = queue_of(port) == 5 && std::uniform_real_distribution<double>()(random) < share;
      return 80'000 + static_cast<std::int64_t>(jitter(random)) + (is_slow ? shift_ns : 0);
    };
    return simulate(options, &rss);
  };
  SimulatedRun run = slow_by(3'000'000, 1.0);
  const auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::queue_slow);
  CHECK(findings[0].severity == Severity::warning);
  CHECK(findings[0].summary == "queue 5 answers late");
  CHECK(*findings[0].p_value < 1e-40);
  const auto low = evidence<std::int64_t>(findings[0], "mean_shift_ci95_low_ns");
  const auto high = evidence<std::int64_t>(findings[0], "mean_shift_ci95_high_ns");
  CHECK(low < 3'000'000);
  CHECK(high > 3'000'000);
  CHECK(high - low < 10'000);
  CHECK(evidence<std::int64_t>(findings[0], "p50_shift_ns") == Approx(3'000'000).margin(5'000));
  for (const std::uint16_t port : findings[0].ports) CHECK(queue_of(port) == 5);
  INFO(all_text(findings[0]));
  CHECK(all_text(findings[0]).find("p50 3.09 ms against 0.09") != std::string::npos);

  run = slow_by(40'000'000, 0.02);  // only now and then
  CHECK(has(diagnose(run.plan, run.result), FindingKind::queue_slow));
  run = slow_by(2'000, 1.0);  // within what healthy queues differ
  CHECK(diagnose(run.plan, run.result).empty());
}

TEST_CASE("loss of single flows is not blamed on queues that happen to hold more of them") {
  const auto rss = random_rss(8, 8, 128);
  int blamed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    RunOptions options{.probes = 20'000, .port_bits = 8, .seed = seed, .is_rss_given = true};
    options.loss = [seed](std::uint16_t port) {
      std::mt19937_64 hash(port * 1000003ULL + seed);
      return hash() % 8 == 0 ? 1.0 : 0.0;
    };
    const SimulatedRun run = simulate(options, &rss);
    blamed += has(diagnose(run.plan, run.result), FindingKind::queue_loss) ? 1 : 0;
  }
  CHECK(blamed <= 1);
}

TEST_CASE("a few losses are not explained, but the probes that it takes are told") {
  RunOptions options;
  SimulatedRun run = simulate(options);
  stats::DestinationResult& destination = run.result.destinations[0];
  destination.lost = 10;
  destination.answered -= 10;
  for (std::size_t i = 0; i < 10; ++i) {
    destination.ports[i * 150].lost = 1;
    --destination.ports[i * 150].answered;
  }
  const auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::not_enough_probes);
  CHECK(findings[0].severity == Severity::info);
  CHECK(evidence<std::int64_t>(findings[0], "more_probes") == 15000);
  CHECK(all_text(findings[0]).find("a run of 25 s at this rate") != std::string::npos);
  CHECK(all_text(findings[0]).find("try sudo volley probe -d 25s web7:443") != std::string::npos);
}

TEST_CASE("silence is one finding, whatever else could be computed from it") {
  RunOptions options{.is_rss_given = true};
  options.loss = [](std::uint16_t) { return 1.0; };
  const auto rss = random_rss(9, 8, 128);
  SimulatedRun run = simulate(options, &rss);
  auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::no_answer);
  CHECK(findings[0].severity == Severity::critical);
  CHECK(findings[0].summary == "no answer from web7 (10.0.3.7) on tcp/443: not even a reset");

  run.result.destinations[0].replies.unreachable.push_back({{3, 1, v4(1)}, 10'000});
  findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].summary == "no answer from web7 (10.0.3.7) on tcp/443");
  CHECK(all_text(findings[0]).find("10.0.3.1 says host unreachable, 10000 times") != std::string::npos);

  run.result.destinations[0].replies.unreachable.clear();
  run.result.destinations[0].late = 9'000;
  findings = diagnose(run.plan, run.result);
  CHECK(all_text(findings[0]).find("within the timeout of 1.00 s") != std::string::npos);
  CHECK(all_text(findings[0]).find("9000 of 10000 answers came later") != std::string::npos);
}

TEST_CASE("what this host dropped is told, and keeps the losses from being explained") {
  const auto rss = random_rss(5, 8, 128);
  const auto queue_of = queues_of(rss);
  RunOptions options{.is_rss_given = true};
  options.loss = [&](std::uint16_t port) { return queue_of(port) == 3 ? 0.05 : 0.0; };
  SimulatedRun run = simulate(options, &rss);
  run.result.local.capture_drops = 40;
  auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].kind == FindingKind::local_drops);
  CHECK(findings[0].summary == "the capture of this host dropped 40 frames");

  run.result.local.capture_drops = 1;
  findings = diagnose(run.plan, run.result);
  CHECK(has(findings, FindingKind::queue_loss));
  CHECK(has(findings, FindingKind::local_drops));

  run.result.local = {};
  run.result.destinations[0].not_sent = 500;
  run.result.local.not_sent[static_cast<std::size_t>(probe::NotSentReason::not_departed)] = 500;
  findings = diagnose(run.plan, run.result);
  const Finding& finding = get(findings, FindingKind::local_drops);
  CHECK(finding.summary == "this host did not send 500 of 10500 probes");
  CHECK(finding.severity == Severity::warning);
  CHECK(evidence<std::int64_t>(finding, "not_departed") == 500);
  CHECK(all_text(finding).find("look tc -s qdisc show dev eth0") != std::string::npos);
}

TEST_CASE("a run of which nothing was sent says so, and nothing about the target") {
  SimulatedRun run = simulate({.probes = 0});
  run.result.destinations[0].not_sent = 100;
  run.result.local.not_sent[static_cast<std::size_t>(probe::NotSentReason::not_permitted)] = 100;
  const auto findings = diagnose(run.plan, run.result);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].severity == Severity::critical);
  CHECK(all_text(findings[0]).find("a firewall of this host") != std::string::npos);
}

// Runs in which nothing is wrong with any queue: silence, uniform loss, loss in
// bursts, loss in slices of time, heavy tails. Nothing may be blamed. One thread.
//
// A few seeds in the ordinary run; "[.alarms]" takes 1,000 and prints a count by kind.
#include <catch2/catch.hpp>
#include <cstdio>
#include <map>

#include "run_findings.h"
#include "simulated_run.h"
#include "volley/diagnosis/diagnose.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

namespace {

constexpr std::uint64_t kScenes = 8;

// Loss and delay that depend on the time of sending alone, or on nothing.
SimulatedRun healthy_run(std::uint64_t seed) {
  std::mt19937_64 random(seed * 7919);
  constexpr std::uint64_t kProbes[] = {100, 1'000, 10'000, 10'000, 30'000, 100'000};
  RunOptions options{.probes = kProbes[random() % std::size(kProbes)], .seed = seed};
  options.rate_pps = static_cast<double>(options.probes) / 10.0;
  options.port_bits = options.probes > 30'000 ? 13 : (options.probes >= 10'000 ? 11 : 8);
  const double loss = 0.0005 * std::pow(600.0, std::uniform_real_distribution<double>()(random));
  switch (seed % kScenes) {
    case 0:
      break;
    case 1:
    case 2:
      options.loss = [loss](std::uint16_t) { return loss; };
      break;
    case 3:
      // Heavy tail, log-normal.
      options.rtt = [](std::uint16_t, std::mt19937_64& draw) {
        return static_cast<std::int64_t>(1e5 * std::exp(std::normal_distribution<double>(0.0, 1.2)(draw)));
      };
      break;
    case 4:
      // A second mode of 40 ms, as delayed acknowledgements make it.
      options.rtt = [](std::uint16_t, std::mt19937_64& draw) -> std::int64_t {
        return 100'000 + (draw() % 30 == 0 ? 40'000'000 : 0) + static_cast<std::int64_t>(draw() % 50'000);
      };
      break;
    case 5:
      // A backlog for all that builds up at once and drains for a second.
      options.delay = [](std::uint16_t, std::int64_t sent_ns) {
        return std::max<std::int64_t>(0, 50'000'000 - (sent_ns % 3'000'000'000) / 20);
      };
      break;
    default:
      break;
  }
  const auto rss = random_rss(seed, 8, 128);
  options.is_rss_given = seed % 3 == 0;
  SimulatedRun run = simulate(options, &rss);
  if (seed % kScenes < 6) return run;
  // Bursts (6) or two of ten slices of time (7): whole stretches of probes are lost.
  RunOptions again = options;
  auto is_bad_time = [&, state = false](std::uint64_t n) mutable {
    if (seed % kScenes == 7) return n * 10 / options.probes % 5 == seed % 5;
    if (random() % 20 == 0) state = random() % 4 == 0;
    return state;
  };
  std::uint64_t n = 0;
  again.loss = [&](std::uint16_t) { return is_bad_time(n++) ? std::min(0.9, 5.0 * loss) : 0.0; };
  return simulate(again, &rss);
}

// Findings that blame something on the data; counts and limits are no blame.
bool blames(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::queue_loss:
    case FindingKind::queue_slow:
    case FindingKind::flow_bound_loss:
    case FindingKind::flow_bound_slow:
    case FindingKind::rss_mismatch:
    case FindingKind::stall:
    case FindingKind::reply_limited:
    case FindingKind::local_drops:
    case FindingKind::no_answer:
      return true;
    case FindingKind::uniform_loss:
    case FindingKind::loss_direction:
    case FindingKind::not_enough_probes:
      return false;
  }
  return true;
}

int count_blamed(std::uint64_t first, std::uint64_t last, std::map<std::string, int>* kinds = nullptr) {
  int blamed = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const SimulatedRun run = healthy_run(seed);
    bool is_blamed = false;
    for (const Finding& finding : diagnose(run.plan, run.result)) {
      is_blamed = is_blamed || blames(finding);
      if (kinds != nullptr) ++(*kinds)[std::string(to_string(finding.kind))];
      if (blames(finding)) UNSCOPED_INFO("seed " << seed << ": " << all_text(finding));
    }
    blamed += is_blamed ? 1 : 0;
  }
  return blamed;
}

}  // namespace

TEST_CASE("nothing is blamed where nothing depends on the flow") {
  CHECK(count_blamed(1, 32) == 0);
}

TEST_CASE("false alarms of 1,000 runs", "[.alarms]") {
  std::map<std::string, int> kinds;
  const int blamed = count_blamed(1001, 2000, &kinds);
  std::printf("1000 runs without a fault: %d blamed something\n", blamed);
  for (const auto& [kind, count] : kinds) std::printf("  %-20s %d\n", kind.c_str(), count);
  CHECK(blamed < 6);
}

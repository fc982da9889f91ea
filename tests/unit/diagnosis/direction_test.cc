// Tests of diagnosis/direction: estimates against planted loss, and what may be said. One thread.
#include "volley/diagnosis/direction.h"

#include <catch2/catch.hpp>
#include <random>

using namespace volley;
using namespace volley::diagnosis;

namespace {

// Probes through independent loss `there` and `back`, with resends awaited.
DirectionCounts simulate_loss(std::uint64_t probes, double there, double back, int resends, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> chance;
  DirectionCounts counts;
  counts.resends_awaited = resends;
  for (std::uint64_t n = 0; n < probes; ++n) {
    if (chance(random) < there) {
      ++counts.none;
      continue;
    }
    bool came = false;
    for (int attempt = 0; attempt <= resends && !came; ++attempt) {
      came = chance(random) >= back;
      if (came) ++(attempt == 0 ? counts.first : counts.resent);
    }
    if (!came) ++counts.none;
  }
  return counts;
}

}  // namespace

TEST_CASE("loss per packet is found for either way, with one or two resends awaited") {
  for (const int resends : {1, 2}) {
    for (const auto& [there, back] : {std::pair{0.0, 0.1}, {0.1, 0.0}, {0.05, 0.05}, {0.02, 0.3}, {0.3, 0.2}}) {
      int covered = 0;
      constexpr int kRuns = 60;
      for (int run = 0; run < kRuns; ++run) {
        const auto estimate =
            estimate_direction(simulate_loss(5000, there, back, resends, static_cast<std::uint64_t>(run) + 1));
        REQUIRE(estimate);
        CHECK(estimate->there.value == Approx(there).margin(0.03));
        CHECK(estimate->back.value == Approx(back).margin(0.05));
        covered += estimate->there.interval.low <= there && there <= estimate->there.interval.high &&
                           estimate->back.interval.low <= back && back <= estimate->back.interval.high
                       ? 1
                       : 0;
      }
      CHECK(covered >= 50);
    }
  }
  CHECK_FALSE(estimate_direction({0, 0, 100, 2}));
}

TEST_CASE("the way is said only where the target was seen to resend") {
  stats::DestinationResult destination;
  destination.answered = 9900;
  destination.lost = 100;
  CHECK(loss_way(destination) == LossWay::unknown);  // SYN cookies: no resend, ever
  destination.replies.reset_resent = 1;
  CHECK(loss_way(destination) == LossWay::unknown);
  destination.replies.reset_resent = 2;
  CHECK(loss_way(destination) == LossWay::there);
  destination.direction.reverse = 98;
  CHECK(loss_way(destination) == LossWay::back);
  destination.direction.reverse = 50;
  CHECK(loss_way(destination) == LossWay::both);
  destination.direction.reverse = 2;
  CHECK(loss_way(destination) == LossWay::there);
  destination.lost = 4;
  destination.direction.reverse = 4;
  CHECK(loss_way(destination) == LossWay::unknown);  // too few
}

TEST_CASE("the finding gives both ways with intervals, for TCP alone") {
  probe::ProbePlan plan;
  plan.destinations.resize(1);
  stats::RunResult result;
  result.destinations.resize(1);
  result.destinations[0].answered = 9000;
  result.destinations[0].lost = 1000;
  result.destinations[0].direction.reverse = 990;
  auto finding = find_loss_direction({plan, result, 0});
  REQUIRE(finding);
  CHECK(finding->kind == FindingKind::loss_direction);
  CHECK(finding->summary == "packets are lost on the way back");
  CHECK(finding->details[0].find("on the way back 10.0 % (95 %: 9.4 to 10.6 %)") != std::string::npos);
  CHECK(finding->details[1] == "990 of 1000 lost probes had reached the target: it sent its SYN-ACK again");
  plan.protocol = probe::Protocol::udp;
  CHECK_FALSE(find_loss_direction({plan, result, 0}));
}

// Tests of diagnosis/sequential: the e-value against its integral, its error, its power. One thread.
#include "volley/diagnosis/sequential.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace volley::diagnosis;

namespace {

// A round of `probes`, stopped when it confirms; returns the verdict at the end.
RoundTwoVerdict run_round(std::mt19937_64& random, int probes, double suspect_loss, double control_loss, double share,
                          int* used = nullptr) {
  std::uniform_real_distribution<double> chance;
  RoundTwo counts{0, 0, share};
  for (int n = 0; n < probes; ++n) {
    const bool is_suspect = chance(random) < share;
    if (chance(random) < (is_suspect ? suspect_loss : control_loss)) {
      ++(is_suspect ? counts.suspect_losses : counts.control_losses);
    }
    if (used != nullptr) *used = n + 1;
    if (judge_running(counts) == RoundTwoVerdict::follows_port) return RoundTwoVerdict::follows_port;
  }
  return judge_finished(counts);
}

}  // namespace

TEST_CASE("the e-value is the mean of the likelihood ratio over the excess") {
  for (const std::uint64_t x : {0U, 3U, 25U}) {
    for (const std::uint64_t y : {0U, 2U, 9U}) {
      for (const double c : {0.5, 0.2}) {
        constexpr int kSteps = 50'000;
        double sum = 0.0;
        for (int i = 0; i < kSteps; ++i) {
          const double theta = c + (1.0 - c) * (i + 0.5) / kSteps;
          sum += std::pow(theta / c, static_cast<double>(x)) *
                 std::pow((1.0 - theta) / (1.0 - c), static_cast<double>(y)) / kSteps;
        }
        CHECK(std::exp(log_e_value({x, y, c})) == Approx(sum).epsilon(1e-5));
      }
    }
  }
  CHECK(log_e_value({0, 0, 0.5}) == Approx(0.0).margin(1e-12));
  CHECK(log_e_value({9, 0, 1.0}) == 0.0);
}

TEST_CASE("loss that does not follow the port is not confirmed, and is called even where it is plenty") {
  std::mt19937_64 random(11);
  int confirmed = 0;
  int even = 0;
  for (int run = 0; run < 200; ++run) {
    const auto verdict = run_round(random, 10'000, 0.01, 0.01, 0.5);
    confirmed += verdict == RoundTwoVerdict::follows_port ? 1 : 0;
    even += verdict == RoundTwoVerdict::does_not ? 1 : 0;
  }
  CHECK(confirmed <= 1);
  CHECK(even >= 190);
}

TEST_CASE("a dozen losses on suspects alone confirm, at any share") {
  CHECK(judge_running({13, 0, 0.5}) == RoundTwoVerdict::undecided);
  CHECK(judge_running({14, 0, 0.5}) == RoundTwoVerdict::follows_port);
  CHECK(judge_running({6, 0, 0.1}) == RoundTwoVerdict::follows_port);
  std::mt19937_64 random(12);
  int confirmed = 0;
  for (int run = 0; run < 60; ++run) {
    confirmed += run_round(random, 5'000, 0.05, 0.0, 0.5) == RoundTwoVerdict::follows_port ? 1 : 0;
  }
  CHECK(confirmed == 60);
}

TEST_CASE("a few losses decide nothing") {
  CHECK(judge_finished({0, 0, 0.5}) == RoundTwoVerdict::undecided);
  CHECK(judge_finished({5, 3, 0.5}) == RoundTwoVerdict::undecided);
  CHECK(judge_finished({15, 14, 0.5}) == RoundTwoVerdict::undecided);
  CHECK(judge_finished({50, 50, 0.5}) == RoundTwoVerdict::does_not);
  CHECK(judge_finished({14, 1, 0.5}) == RoundTwoVerdict::follows_port);
}

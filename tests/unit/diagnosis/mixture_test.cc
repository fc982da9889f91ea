// Tests of diagnosis/mixture: planted shares and rates are found, within their intervals. One thread.
#include "volley/diagnosis/mixture.h"

#include <catch2/catch.hpp>
#include <random>

using namespace volley::diagnosis;

namespace {

struct Planted {
  std::size_t ports = 1024;
  std::uint64_t probes = 10;
  double share = 0.125;
  double bad = 0.05;
  double base = 0.0;
};

struct Drawn {
  std::vector<HitCount> ports;
  std::vector<bool> is_bad;
};

Drawn draw(const Planted& planted, std::mt19937_64& random) {
  Drawn drawn;
  std::uniform_real_distribution<double> chance;
  for (std::size_t i = 0; i < planted.ports; ++i) {
    const bool bad = chance(random) < planted.share;
    std::binomial_distribution<std::uint64_t> hits(planted.probes, bad ? planted.bad : planted.base);
    drawn.ports.push_back({planted.probes, hits(random)});
    drawn.is_bad.push_back(bad);
  }
  return drawn;
}

}  // namespace

TEST_CASE("share and rates of a mixture are found") {
  for (const Planted& planted : {Planted{1024, 40, 0.125, 0.2, 0.0}, Planted{1024, 40, 0.125, 0.3, 0.01},
                                 Planted{1024, 20, 0.25, 1.0, 0.0}, Planted{1024, 60, 0.5, 0.1, 0.0}}) {
    std::mt19937_64 random(21);
    const Mixture mixture = fit_mixture(draw(planted, random).ports);
    INFO(planted.share << ' ' << planted.bad << ' ' << planted.base);
    CHECK(mixture.share == Approx(planted.share).epsilon(0.25));
    CHECK(mixture.bad_rate == Approx(planted.bad).epsilon(0.25));
    CHECK(mixture.base_rate == Approx(planted.base).margin(0.005));
    CHECK(mixture.share_interval.low < mixture.share);
    CHECK(mixture.share_interval.high > mixture.share);
  }
}

TEST_CASE("the interval of the share holds the truth about as often as it says") {
  int covered = 0;
  constexpr int kRuns = 40;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    std::mt19937_64 random(seed);
    const Mixture mixture = fit_mixture(draw({512, 30, 0.15, 0.15, 0.005}, random).ports);
    covered += mixture.share_interval.low <= 0.15 && 0.15 <= mixture.share_interval.high ? 1 : 0;
  }
  CHECK(covered >= 34);
}

TEST_CASE("ports are told apart by their probability of being bad") {
  std::mt19937_64 random(22);
  const Drawn drawn = draw({1024, 50, 0.125, 0.2, 0.002}, random);
  const Mixture mixture = fit_mixture(drawn.ports);
  int listed = 0;
  int right = 0;
  for (std::size_t i = 0; i < drawn.ports.size(); ++i) {
    if (bad_probability(mixture, drawn.ports[i]) <= 0.5) continue;
    ++listed;
    right += drawn.is_bad[i] ? 1 : 0;
  }
  CHECK(listed > 100);
  CHECK(right >= listed * 95 / 100);
}

TEST_CASE("no hits, no ports: nothing is claimed") {
  CHECK(fit_mixture({}).share == 0.0);
  const Mixture mixture = fit_mixture(std::vector<HitCount>(10, HitCount{5, 0}));
  CHECK(mixture.share == 0.0);
  CHECK(mixture.share_interval.high == 1.0);
}

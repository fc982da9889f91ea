// The histogram against exact computation over stored samples.
#include "volley/stats/histogram.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace volley::stats {
namespace {

enum class Kind { uniform, exponential, lognormal, pareto, two_modes, tiny };

std::vector<std::int64_t> samples(Kind kind, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(1e-12, 1.0);
  std::normal_distribution<double> normal;
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values) {
    double v = 0;
    switch (kind) {
      case Kind::uniform:
        v = 1e5 * unit(random);
        break;
      case Kind::exponential:
        v = 50e3 - 30e3 * std::log(unit(random));
        break;
      case Kind::lognormal:
        v = std::exp(11.0 + 1.5 * normal(random));
        break;
      case Kind::pareto:
        v = 40e3 / std::pow(unit(random), 1.0 / 1.1);
        break;
      case Kind::two_modes:
        v = (unit(random) < 0.05 ? 3.1e6 : 9e4) + 2e3 * normal(random);
        break;
      case Kind::tiny:
        v = 40.0 * unit(random);
        break;
    }
    value = static_cast<std::int64_t>(std::min(v, 1e12));
  }
  return values;
}

std::int64_t exact_quantile(std::vector<std::int64_t> values, std::uint32_t ppm) {
  std::sort(values.begin(), values.end());
  // By definition: the first value with at least the share ppm at or below it.
  std::size_t rank = 1;
  while (rank * 1'000'000 < values.size() * std::size_t{ppm}) ++rank;
  return values[rank - 1];
}

}  // namespace

TEST_CASE("quantiles stay within the bound for every distribution", "[stats]") {
  const auto bits = GENERATE(kTotalBits, kGroupBits);
  const double bound = bits == kTotalBits ? 0.001 : 0.01;
  for (const Kind kind :
       {Kind::uniform, Kind::exponential, Kind::lognormal, Kind::pareto, Kind::two_modes, Kind::tiny}) {
    for (const std::size_t count : {1U, 2U, 3U, 10U, 99U, 100U, 101U, 20'000U}) {
      OctaveArena arena(bits, kOctaves);
      Histogram histogram(arena);
      const auto values = samples(kind, count, 42 + count);
      for (const std::int64_t value : values) histogram.record(value);
      REQUIRE(histogram.error() < bound);
      for (const std::uint32_t ppm : {0U, 10'000U, kP25, kP50, kP75, kP90, kP99, kP999, 1'000'000U}) {
        const std::int64_t truth = exact_quantile(values, ppm);
        const std::int64_t found = histogram.quantile_ns(ppm);
        INFO("kind " << static_cast<int>(kind) << " n " << count << " ppm " << ppm);
        REQUIRE(std::abs(static_cast<double>(found - truth)) <= std::max(bound * static_cast<double>(truth), 1.0));
      }
    }
  }
}

TEST_CASE("count, min, max, mean and stddev are exact", "[stats]") {
  OctaveArena arena(kGroupBits, kOctaves);
  Histogram histogram(arena);
  // A large mean with a small spread: floating sums would lose it.
  const auto values = std::vector<std::int64_t>{90'000'000'001, 90'000'000'003, 90'000'000'005, 90'000'000'007};
  for (const std::int64_t value : values) histogram.record(value);
  CHECK(histogram.count() == 4);
  CHECK(histogram.min_ns() == 90'000'000'001);
  CHECK(histogram.max_ns() == 90'000'000'007);
  CHECK(histogram.mean_ns() == 90'000'000'004);
  CHECK(histogram.stddev_ns() == 2);  // sqrt(5)

  Histogram random(arena);
  long double sum = 0;
  const auto many = samples(Kind::lognormal, 50'000, 7);
  for (const std::int64_t value : many) random.record(value), sum += static_cast<long double>(value);
  const long double mean = sum / static_cast<long double>(many.size());
  long double squares = 0;
  for (const std::int64_t value : many) {
    const long double difference = static_cast<long double>(value) - mean;
    squares += difference * difference;
  }
  CHECK(random.mean_ns() == std::llround(mean));
  CHECK(random.stddev_ns() == std::llround(std::sqrt(squares / static_cast<long double>(many.size()))));
}

TEST_CASE("an empty histogram says nothing", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  const Histogram histogram(arena);
  CHECK(histogram.quantile_ns(kP50) == 0);
  CHECK(histogram.summary().count == 0);
  CHECK(histogram.summary().min_ns == 0);
  CHECK(histogram.summary().max_ns == 0);
  CHECK(histogram.summary().stddev_ns == 0);
  CHECK(histogram.shape().counts.empty());
}

TEST_CASE("values beyond the range keep exact extremes", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  Histogram histogram(arena);
  histogram.record(-5);
  histogram.record(0);
  histogram.record(1);
  const std::int64_t hour = 3'600'000'000'000;
  histogram.record(hour);
  CHECK(histogram.min_ns() == 0);
  CHECK(histogram.max_ns() == hour);
  CHECK(histogram.quantile_ns(1'000'000) == hour);
  CHECK(histogram.quantile_ns(kP50) <= 1);
  CHECK(histogram.mean_ns() == (hour + 1 + 2) / 4);
}

TEST_CASE("zero is zero, not one", "[stats]") {
  OctaveArena arena(kTotalBits, 2 * kOctaves);
  Histogram histogram(arena);
  for (int i = 0; i < 60; ++i) histogram.record(0);
  for (int i = 0; i < 40; ++i) histogram.record(1);
  CHECK(histogram.quantile_ns(600'000) == 0);
  CHECK(histogram.quantile_ns(610'000) == 1);
  Histogram merged(arena);
  merged.merge(histogram);
  CHECK(merged.quantile_ns(kP50) == 0);
}

TEST_CASE("more than 100 s are within the range and the bound", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  Histogram histogram(arena);
  for (std::int64_t s = 1; s <= 1000; ++s) histogram.record(s * 1'000'000'000 + 1);
  CHECK(std::abs(static_cast<double>(histogram.quantile_ns(kP90)) / 900e9 - 1.0) < 0.001);
}

TEST_CASE("merging equals recording the union", "[stats]") {
  const auto bits = GENERATE(kTotalBits, kGroupBits);
  OctaveArena arena(bits, 4 * kOctaves);
  Histogram all(arena);
  Histogram first(arena);
  Histogram second(arena);
  for (const std::int64_t value : samples(Kind::pareto, 5'000, 1)) all.record(value), first.record(value);
  for (const std::int64_t value : samples(Kind::tiny, 3'000, 2)) all.record(value), second.record(value);
  const Histogram empty(arena);
  first.merge(second);
  first.merge(empty);
  CHECK(first.count() == 8'000);
  CHECK(first.stddev_ns() == all.stddev_ns());
  CHECK(first.mean_ns() == all.mean_ns());
  for (std::uint32_t ppm = 0; ppm <= 1'000'000; ppm += 1'000) REQUIRE(first.quantile_ns(ppm) == all.quantile_ns(ppm));
  CHECK(first.shape().counts == all.shape().counts);
}

TEST_CASE("an exhausted arena costs resolution, not counts", "[stats]") {
  OctaveArena arena(kGroupBits, 1);
  Histogram histogram(arena);
  for (std::int64_t value = 1'024; value < 2'048; ++value) histogram.record(value);
  CHECK(histogram.error() < 0.01);
  for (std::int64_t value = 2'048; value < 4'096; ++value) histogram.record(value);
  CHECK(histogram.error() == 1.0);
  CHECK(histogram.count() == 3'072);
  CHECK(histogram.max_ns() == 4'095);
  CHECK(histogram.mean_ns() == 2'560);  // 2559.5, rounded
  // Uniform values make interpolation right.
  CHECK(std::abs(histogram.quantile_ns(kP90) - 3'788) < 4);
  std::uint64_t total = 0;
  for (const std::uint64_t count : histogram.shape().counts) total += count;
  CHECK(total == 3'072);

  Histogram other(arena);
  other.merge(histogram);
  CHECK(other.count() == 3'072);
  CHECK(other.error() == 1.0);
  CHECK(other.mean_ns() == 2'560);
}

TEST_CASE("the shape holds every value once and touches both ends", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  Histogram histogram(arena);
  for (const std::int64_t value : samples(Kind::exponential, 10'000, 3)) histogram.record(value);
  const RttShape shape = histogram.shape();
  CHECK(shape.low_ns == histogram.min_ns());
  CHECK(shape.high_ns == histogram.max_ns());
  REQUIRE(shape.counts.size() == kShapeBins);
  std::uint64_t total = 0;
  for (const std::uint64_t count : shape.counts) total += count;
  CHECK(total == 10'000);
  CHECK(shape.counts.front() > 0);
  CHECK(shape.counts.back() > 0);
}

TEST_CASE("a narrow distribution has fewer shape bins, without gaps", "[stats]") {
  OctaveArena arena(kGroupBits, kOctaves);
  Histogram one(arena);
  for (int i = 0; i < 5; ++i) one.record(93'000);
  CHECK(one.shape().counts == std::vector<std::uint64_t>{5});
  Histogram narrow(arena);
  for (std::int64_t value = 100'000; value < 110'000; ++value) narrow.record(value);
  const RttShape shape = narrow.shape();
  CHECK(shape.counts.size() < kShapeBins);
  for (const std::uint64_t count : shape.counts) CHECK(count > 0);
}

TEST_CASE("shapes over given bounds put what is outside into the end bins", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  Histogram histogram(arena);
  histogram.record(10);
  histogram.record(1'000);
  histogram.record(1'000'000);
  const RttShape shape = histogram.shape(100, 10'000);
  CHECK(shape.counts.front() == 1);
  CHECK(shape.counts.back() == 1);
  CHECK(shape.low_ns == 100);
  CHECK(shape.high_ns == 10'000);
}

}  // namespace volley::stats

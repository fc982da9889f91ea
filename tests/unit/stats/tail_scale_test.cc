// Thresholds of the slow end: placed, ascending, and counted against.
#include "volley/stats/tail_scale.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace volley::stats {

TEST_CASE("thresholds ascend from the median", "[stats]") {
  for (const std::int64_t median : {0L, 1L, 60L, 90'000L, 250'000'000L}) {
    const TailScale scale(median);
    const auto thresholds = scale.thresholds_ns();
    CHECK(thresholds.front() == std::max(median, std::int64_t{1}));
    CHECK(std::adjacent_find(thresholds.begin(), thresholds.end(), std::greater_equal<>()) == thresholds.end());
  }
  const TailScale scale(64'000);
  CHECK(scale.thresholds_ns()[1] == 65'000);
  CHECK(scale.thresholds_ns()[3] == 66'000);
  CHECK(scale.thresholds_ns()[30] > 300 * 64'000);
}

TEST_CASE("a value's bin is the number of thresholds below it", "[stats]") {
  const TailScale scale(1'000);
  const auto thresholds = scale.thresholds_ns();
  for (std::int64_t value = 0; value < 400'000; value += 7) {
    const auto below = std::count_if(thresholds.begin(), thresholds.end(), [&](std::int64_t t) { return value > t; });
    REQUIRE(scale.bin_of(value) == static_cast<std::size_t>(below));
  }
  for (std::size_t i = 0; i < kTailThresholds; ++i) {
    REQUIRE(scale.bin_of(thresholds[i]) == i);
    REQUIRE(scale.bin_of(thresholds[i] + 1) == i + 1);
  }
}

}  // namespace volley::stats

// Bins, their bounds and the nearest rank.
#include "volley/stats/log_linear.h"

#include <catch2/catch.hpp>

namespace volley::stats {

TEST_CASE("a value lies in its bin, and the bins join without a gap", "[stats]") {
  for (const unsigned bits : {4U, 6U, 9U}) {
    for (std::uint64_t value = 1; value < 200'000; ++value) {
      const unsigned octave = octave_of(value);
      const std::uint32_t bin = bin_in_octave(value, octave, bits);
      const std::uint64_t low = bin_low(octave, bin, bits);
      const std::uint64_t middle = bin_middle(octave, bin, bits);
      REQUIRE(low <= value);
      REQUIRE(value < low + bin_width(octave, bits));
      const auto distance = static_cast<double>(middle > value ? middle - value : value - middle);
      REQUIRE(distance <= relative_error(bits) * static_cast<double>(value));
    }
  }
}

TEST_CASE("small values have bins of their own", "[stats]") {
  for (std::uint64_t value = 1; value < 1024; ++value) {
    REQUIRE(bin_middle(octave_of(value), bin_in_octave(value, octave_of(value), 9), 9) == value);
  }
}

TEST_CASE("the error bounds are those that are promised", "[stats]") {
  CHECK(relative_error(9) < 0.001);
  CHECK(relative_error(6) < 0.01);
  CHECK(relative_error(4) < 0.032);
}

TEST_CASE("nearest rank in integers", "[stats]") {
  CHECK(nearest_rank(100, kP99) == 99);
  CHECK(nearest_rank(101, kP99) == 100);
  CHECK(nearest_rank(1'000, kP999) == 999);
  CHECK(nearest_rank(1, kP50) == 1);
  CHECK(nearest_rank(2, kP50) == 1);
  CHECK(nearest_rank(3, kP50) == 2);
  CHECK(nearest_rank(10, 0) == 1);
  CHECK(nearest_rank(10, 1'000'000) == 10);
  CHECK(nearest_rank(std::uint64_t{1} << 60U, kP50) == std::uint64_t{1} << 59U);
  CHECK(nearest_rank(10'000'000'001, kP999) == 9'990'000'001);
}

}  // namespace volley::stats

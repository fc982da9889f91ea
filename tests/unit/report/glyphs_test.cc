// Bars and sparklines: nothing that happened may be invisible.
#include "volley/report/glyphs.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace volley::report;

TEST_CASE("bars", "[report][glyphs]") {
  CHECK(bar(0.0, 1.0, 6, Charset::ascii).empty());
  CHECK(bar(1.0, 1.0, 6, Charset::ascii) == "######");
  CHECK(bar(0.5, 1.0, 6, Charset::ascii) == "###");
  CHECK(bar(1e-9, 1.0, 6, Charset::ascii) == "#");
  CHECK(bar(2.0, 1.0, 6, Charset::ascii) == "######");
  CHECK(bar(0.0, 0.0, 6, Charset::ascii).empty());
  CHECK(bar(1.0, 1.0, 2, Charset::utf8) == "▇▇");
}

TEST_CASE("sparklines: only zero is blank", "[report][glyphs]") {
  const std::vector<std::uint64_t> counts{0, 1, 500, 1000, 1'000'000};
  CHECK(sparkline(counts, Charset::ascii) == " ...@");
  CHECK(sparkline(counts, Charset::utf8) == " ▁▁▁█");
  CHECK(sparkline(std::vector<std::uint64_t>{0, 0}, Charset::ascii) == "  ");
  CHECK(sparkline({}, Charset::ascii).empty());
  const std::vector<std::uint64_t> ramp{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(sparkline(ramp, Charset::ascii) == ".:-=+*#@");
  CHECK(sparkline(ramp, Charset::utf8) == "▁▂▃▄▅▆▇█");
}

TEST_CASE("rebinning keeps every count and its place", "[report][glyphs]") {
  const volley::stats::RttShape shape{1'000, 16'000, {10, 20, 30, 40}};
  CHECK(rebinned(shape, 1'000, 16'000, 4) == shape.counts);
  CHECK(rebinned(shape, 1'000, 16'000, 2) == std::vector<std::uint64_t>{30, 70});
  CHECK(rebinned(shape, 1'000, 16'000, 8) == std::vector<std::uint64_t>{5, 5, 10, 10, 15, 15, 20, 20});
  // An octave is a bin here: an axis of twice the octaves moves nothing.
  CHECK(rebinned(shape, 1'000, 256'000, 8) == std::vector<std::uint64_t>{10, 20, 30, 40, 0, 0, 0, 0});
  for (const std::size_t bins : {1U, 3U, 5U, 7U, 16U}) {
    const auto counts = rebinned(shape, 700, 30'000, bins);
    CHECK(counts.size() == bins);
    CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) == 100);
  }
  // A shape that sticks out of the axis is squeezed into its end bins.
  CHECK(rebinned(shape, 4'000, 8'000, 1) == std::vector<std::uint64_t>{100});
  CHECK(rebinned({}, 1, 2, 3) == std::vector<std::uint64_t>{0, 0, 0});
}

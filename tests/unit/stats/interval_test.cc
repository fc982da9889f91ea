// Wilson's interval: published values, edges, order.
#include "volley/stats/interval.h"

#include <catch2/catch.hpp>

namespace volley::stats {

TEST_CASE("Wilson's interval has the published values", "[stats]") {
  // R. G. Newcombe, Statist. Med. 17 (1998), table I, method 3.
  const struct {
    std::uint64_t hits, trials;
    double low, high;
  } rows[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0.0, 0.1611}, {1, 29, 0.0061, 0.1718}};
  for (const auto& row : rows) {
    const Ratio ratio = wilson_95(row.hits, row.trials);
    CHECK(ratio.low == Approx(row.low).margin(0.00005));
    CHECK(ratio.high == Approx(row.high).margin(0.00005));
  }
}

TEST_CASE("no loss in 10,000 leaves less than 0.04 %", "[stats]") {
  const Ratio ratio = wilson_95(0, 10'000);
  CHECK(ratio.value == 0.0);
  CHECK(ratio.low == 0.0);
  CHECK(ratio.high == Approx(0.000384).margin(0.000001));
}

TEST_CASE("all and nothing", "[stats]") {
  const Ratio all = wilson_95(50, 50);
  CHECK(all.value == 1.0);
  CHECK(all.high == 1.0);
  CHECK(all.low == Approx(1.0 - wilson_95(0, 50).high));
  const Ratio none = wilson_95(0, 0);
  CHECK(none.value == 0.0);
  CHECK(none.low == 0.0);
  CHECK(none.high == 1.0);
}

TEST_CASE("the limits enclose the ratio and stay within 0 and 1", "[stats]") {
  for (std::uint64_t trials = 1; trials < 400; ++trials) {
    for (std::uint64_t hits = 0; hits <= trials; ++hits) {
      const Ratio ratio = wilson_95(hits, trials);
      REQUIRE(0.0 <= ratio.low);
      REQUIRE(ratio.low <= ratio.value);
      REQUIRE(ratio.value <= ratio.high);
      REQUIRE(ratio.high <= 1.0);
    }
  }
  const Ratio many = wilson_95(std::uint64_t{1} << 40U, std::uint64_t{1} << 62U);
  CHECK(many.low > 0.0);
  CHECK(many.low < many.value);
}

}  // namespace volley::stats

// Numbers as people read them: digits, units, and roundings that must not lie.
#include "volley/report/number.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace volley::report;
using volley::stats::DestinationResult;
using volley::stats::Ratio;

namespace {

RttScale scale_of(std::int64_t p50_ns, std::int64_t p99_ns) {
  DestinationResult destination;
  destination.rtt.count = 1000;
  destination.rtt.p50_ns = p50_ns;
  destination.rtt.p99_ns = p99_ns;
  return scale_for({&destination, 1});
}

}  // namespace

TEST_CASE("percentages have sensible digits", "[report][number]") {
  CHECK(percent_number(0.0) == "0");
  CHECK(percent_number(1.0) == "100");
  CHECK(percent_number(0.0063) == "0.63");
  CHECK(percent_number(0.05) == "5.0");
  CHECK(percent_number(0.168) == "16.8");
  CHECK(percent_number(0.0004) == "0.040");
  CHECK(percent_number(0.000012) == "0.0012");
  CHECK(percent_number(0.00996) == "1.0");
  CHECK(percent_number(0.000996) == "0.10");
  CHECK(percent(0.125) == "12.5 %");
}

TEST_CASE("a percentage is 0 or 100 only where it is exact", "[report][number]") {
  CHECK(percent_number(1e-9) == "0.00000010");
  CHECK(percent_number(9999.0 / 10000.0) == "99.99");
  CHECK(percent_number(99999.0 / 100000.0) == "99.999");
  CHECK(percent_number(0.9994) == "99.9");
  CHECK(percent_number(0.99951) == "99.95");
  for (double lost = 1.0; lost < 1e9; lost *= 3.0) {
    CHECK(percent_number(1.0 - lost / 1e9) != "100");
    CHECK(percent_number(lost / 1e9) != "0");
  }
}

TEST_CASE("confidence intervals: bounds are rounded outwards", "[report][number]") {
  CHECK(confidence({0.0063, 0.00492, 0.00806}) == "95 %: 0.49 to 0.81 %");
  CHECK(confidence({0.0, 0.0, 0.000384}) == "95 %: below 0.039 %");
  CHECK(confidence({0.0, 0.0, 0.0004}) == "95 %: below 0.040 %");
  CHECK(confidence({0.0, 0.0, 0.7935}) == "95 %: below 79.4 %");
  CHECK(confidence({1.0, 0.999616, 1.0}) == "95 %: above 99.96 %");
  CHECK(confidence({1.0, 0.2065, 1.0}) == "95 %: above 20.6 %");
}

TEST_CASE("one scale serves all RTTs of a report", "[report][number]") {
  CHECK(scale_of(93'000, 210'000).unit() == "ms");
  CHECK(scale_of(93'000, 210'000).format(210'300) == "0.210");
  CHECK(scale_of(13'000, 29'400).unit() == "us");
  CHECK(scale_of(13'000, 29'400).format(13'049) == "13.0");
  CHECK(scale_of(13'000'000, 29'400'000).format(13'049'000) == "13.05");
  CHECK(scale_of(250'000'000, 294'000'000).format(250'049'000) == "250.0");
  CHECK(scale_for({}).unit() == "ms");

  std::vector<DestinationResult> two(2);
  two[0].rtt = {.count = 10, .p50_ns = 13'000, .p99_ns = 20'000};
  two[1].rtt = {.count = 10, .p50_ns = 80'000'000, .p99_ns = 90'000'000};
  CHECK(scale_for(two).unit() == "ms");
  CHECK(scale_for(two).decimals == 3);
}

TEST_CASE("the ends of an axis have two significant digits", "[report][number]") {
  CHECK(RttScale{}.format_short(71'200) == "0.071");
  CHECK(RttScale{}.format_short(1'322'400) == "1.3");
  CHECK(RttScale{}.format_short(284'800) == "0.28");
  CHECK(RttScale{}.format_short(4'000'000'000) == "4000");
  CHECK(RttScale{}.format_short(120) == "0.000");
}

TEST_CASE("durations", "[report][number]") {
  CHECK(duration_text(10'000'000'000) == "10 s");
  CHECK(duration_text(3'276'000'000) == "3.2 s");
  CHECK(duration_text(200'000'000) == "200 ms");
  CHECK(duration_text(250'000) == "250 us");
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(90'000'000'000) == "90 s");
  CHECK(duration_text(600'000'000'000) == "10 min");
  CHECK(duration_text(125'000'000'000) == "2 min 5 s");
  CHECK(duration_text(7'500'000'000'000) == "2 h 5 min");
  CHECK(duration_text(86'400'000'000'000) == "24 h");
}

TEST_CASE("rates", "[report][number]") {
  CHECK(rate_text(1000.0) == "1000/s");
  CHECK(rate_text(0.5) == "0.5/s");
  CHECK(rate_text(1.0 / 3.0) == "0.333/s");
  CHECK(rate_text(15320.4) == "15320/s");
  CHECK(rate_text(2.5) == "2.5/s");
  CHECK(rate_text(0.0) == "0/s");
}

TEST_CASE("ratios keep nine digits and lose the noise", "[report][number]") {
  CHECK(rounded_ratio(1.0 / 3.0) == 0.333333333);
  CHECK(rounded_ratio(0.1 + 0.2) == 0.3);
  CHECK(rounded_ratio(0.0) == 0.0);
  CHECK(rounded_ratio(2.5e-300) == 2.5e-300);
}

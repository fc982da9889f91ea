// Tests of diagnosis/wording: numbers as a person reads them. One thread.
#include "volley/diagnosis/wording.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <locale>

using namespace volley;
using namespace volley::diagnosis;

TEST_CASE("percentages have two digits that count") {
  CHECK(percent(0.0) == "0 %");
  CHECK(percent(0.0004) == "0.040 %");
  CHECK(percent(0.0063) == "0.63 %");
  CHECK(percent(0.01) == "1.0 %");
  CHECK(percent(0.0504) == "5.0 %");
  CHECK(percent(0.0999) == "10.0 %");
  CHECK(percent(0.125) == "12.5 %");
  CHECK(percent(0.9996) == "99.96 %");
  CHECK(percent(0.999999) == "99.99 %");
  CHECK(percent(1.0) == "100 %");
  CHECK(percent_with_interval(63, 1249) == "5.0 %, 95 %: 3.9 to 6.4 %");
  CHECK(percent_with_interval(0, 10) == "0 %, 95 %: 0 to 30.8 %");
}

TEST_CASE("a p-value is rounded to the safe side") {
  CHECK(p_text(-132.0) == "p < 1e-57");
  CHECK(p_text(std::log(9.9e-7)) == "p < 1e-6");
  CHECK(p_text(std::log(0.0042)) == "p = 0.0042");
  CHECK(p_text(std::log(0.2)) == "p = 0.20");
  CHECK(p_text(0.0) == "p = 1.00");
  CHECK(p_text(-1e9) == "p < 1e-99");
  CHECK(p_value(-1e9) > 0.0);
  CHECK(p_value(std::log(0.25)) == Approx(0.25));
}

TEST_CASE("times keep three digits") {
  CHECK(time_text(141'000) == "0.141 ms");
  CHECK(time_text(3'041'000) == "3.04 ms");
  CHECK(time_text(41'230'000) == "41.2 ms");
  CHECK(time_text(200'400'000) == "200 ms");
  CHECK(time_text(2'000'000'000) == "2.00 s");
  CHECK(time_range_text(112'000, 118'000) == "0.112 to 0.118 ms");
  CHECK(time_range_text(800'000'000, 1'200'000'000) == "800 ms to 1.20 s");
  CHECK(time_range_text(200'400'000, 200'300'000) == "200 ms");
}

TEST_CASE("lists read as sentences, ports as arguments") {
  const std::array<std::uint16_t, 3> queues{3, 5, 7};
  CHECK(enumeration(std::span(queues).first(1)) == "3");
  CHECK(enumeration(std::span(queues).first(2)) == "3 and 5");
  CHECK(enumeration(queues) == "3, 5 and 7");
  CHECK(port_list(queues) == "3 5 7");
  CHECK(plural(1, "probe") == "1 probe");
  CHECK(plural(0, "probe") == "0 probes");
}

TEST_CASE("a destination is named so that it can be typed again") {
  stats::DestinationResult destination;
  destination.target = "web7";
  destination.port = 443;
  CHECK(target_argument(destination, probe::Protocol::tcp) == "web7:443");
  CHECK(target_argument(destination, probe::Protocol::icmp) == "web7");
  destination.target = "2001:db8::7";
  CHECK(target_argument(destination, probe::Protocol::udp) == "[2001:db8::7]:443");
  CHECK(service_text(probe::Protocol::udp, 53) == "udp/53");
  CHECK(service_text(probe::Protocol::icmp, 0) == "icmp");
}

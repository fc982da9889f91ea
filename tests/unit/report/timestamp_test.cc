// RFC 3339 by calendar arithmetic, checked against known moments.
#include "volley/report/timestamp.h"

#include <catch2/catch.hpp>

using volley::report::rfc3339;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

TEST_CASE("RFC 3339 in UTC with milliseconds", "[report][timestamp]") {
  CHECK(rfc3339(0) == "1970-01-01T00:00:00.000Z");
  CHECK(rfc3339(1'714'564'800 * kSecond + 123'456'789) == "2024-05-01T12:00:00.123Z");
  CHECK(rfc3339(951'782'399 * kSecond) == "2000-02-28T23:59:59.000Z");
  CHECK(rfc3339(951'782'400 * kSecond) == "2000-02-29T00:00:00.000Z");
  CHECK(rfc3339(951'868'800 * kSecond) == "2000-03-01T00:00:00.000Z");
  CHECK(rfc3339(1'709'164'800 * kSecond) == "2024-02-29T00:00:00.000Z");
  CHECK(rfc3339(4'107'542'400 * kSecond) == "2100-03-01T00:00:00.000Z");
  CHECK(rfc3339(1'735'689'599 * kSecond + 999'999'999) == "2024-12-31T23:59:59.999Z");
  CHECK(rfc3339(-1) == "1969-12-31T23:59:59.999Z");
  CHECK(rfc3339(-2'203'891'200 * kSecond) == "1900-03-01T00:00:00.000Z");
}

TEST_CASE("each day follows the day before", "[report][timestamp]") {
  constexpr std::int64_t kDay = 86'400 * kSecond;
  std::string before = rfc3339(-kDay);
  for (std::int64_t day = 0; day < 60'000; ++day) {
    const std::string now = rfc3339(day * kDay);
    REQUIRE(before < now);
    before = now;
  }
  CHECK(before == "2134-04-10T00:00:00.000Z");
}

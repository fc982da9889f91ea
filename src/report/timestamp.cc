// A moment of the wall clock as text; see the header.
#include "volley/report/timestamp.h"

#include <fmt/format.h>

namespace volley::report {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kMsPerDay = 86'400'000;

struct CivilDate {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
};

constexpr bool is_leap(std::int64_t year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

// The Gregorian calendar repeats every 400 years, which are 146,097 days.
CivilDate civil_from_days(std::int64_t days_since_1970) {
  constexpr std::int64_t kDaysPerEra = 146'097;
  CivilDate date;
  const std::int64_t eras = days_since_1970 / kDaysPerEra - (days_since_1970 < 0 ? 1 : 0);
  std::int64_t days = days_since_1970 - eras * kDaysPerEra;
  date.year += eras * 400;
  while (days >= (is_leap(date.year) ? 366 : 365)) {
    days -= is_leap(date.year) ? 366 : 365;
    ++date.year;
  }
  constexpr int kDaysOfMonth[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (const int plain_days : kDaysOfMonth) {
    const int length = plain_days + (date.month == 2 && is_leap(date.year) ? 1 : 0);
    if (days < length) {
      break;
    }
    days -= length;
    ++date.month;
  }
  date.day = static_cast<int>(days) + 1;
  return date;
}

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

}  // namespace

std::string rfc3339(std::int64_t realtime_ns) {
  const std::int64_t ms = floor_divide(realtime_ns, kNsPerMs);
  const std::int64_t days = floor_divide(ms, kMsPerDay);
  const std::int64_t ms_of_day = ms - days * kMsPerDay;
  const CivilDate date = civil_from_days(days);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", date.year, date.month, date.day,
                     ms_of_day / 3'600'000, ms_of_day / 60'000 % 60, ms_of_day / 1000 % 60, ms_of_day % 1000);
}

}  // namespace volley::report

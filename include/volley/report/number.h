// Numbers as people read them: durations, percentages, rates, intervals.
//
// Pure; any thread. Always a decimal point, never a locale, never an exponent.
// Rounding never makes an exact-looking 0 % or 100 % of something that isn't.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "volley/stats/run_result.h"

namespace volley::report {

// One unit and one number of decimals for all RTTs of a report, so that
// columns can be compared by eye.
struct RttScale {
  std::int64_t unit_ns = 1'000'000;
  int decimals = 3;

  // "ms" or "us": ASCII, as it's also typed in options.
  std::string unit() const;
  std::string format(std::int64_t rtt_ns) const;
  // Two significant digits, for the ends of an axis: 0.07, 1.3, 4000.
  std::string format_short(std::int64_t rtt_ns) const;
};

// Microseconds if all RTTs but outliers are below 0.1 ms, else milliseconds;
// fewer decimals for longer RTTs.
RttScale scale_for(std::span<const stats::DestinationResult> destinations);

// "0", "0.0012", "0.63", "5.0", "16.8", "99.96", "100"; without the sign.
std::string percent_number(double ratio);
// With " %".
std::string percent(double ratio);
// "95 %: 0.49 to 0.81 %"; at the ends "95 %: below 0.039 %", "95 %: above 99.96 %",
// rounded outwards.
std::string confidence(const stats::Ratio& ratio);

// "200 ms", "3.2 s", "90 s", "10 min", "2 h 5 min".
std::string duration_text(std::int64_t duration_ns);

// "1000/s", "0.5/s", "15320/s".
std::string rate_text(double rate_pps);

// The value to nine significant digits: what JSON and CSV print, so that both
// print the same, and no noise of the last bit.
double rounded_ratio(double ratio);

}  // namespace volley::report

// Numbers as people read them; see the header.
#include "volley/report/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace volley::report {
namespace {

constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

// fmt without the L flag never looks at a locale.
std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, decimals);
}

// Decimals that show `digits` significant digits of a value below 1.
int decimals_for(double value, int digits) {
  if (value <= 0.0) {
    return 0;
  }
  const int magnitude = static_cast<int>(std::floor(std::log10(value) + 1e-9));
  return std::max(0, digits - 1 - magnitude);
}

// Rounded up (or down) to two significant digits, so that a bound stays one.
std::string bound_number(double value, bool upwards) {
  const int decimals = value >= 10.0 ? 1 : decimals_for(value, 2);
  const double unit = std::pow(10.0, decimals);
  // The tiny slack keeps 0.04 from becoming 0.041 by a last bit.
  const double scaled = value * unit;
  const double rounded = upwards ? std::ceil(scaled - 1e-9) : std::floor(scaled + 1e-9);
  return fixed(rounded / unit, decimals);
}

// Decimals of a percentage near 100 so that it doesn't round to 100.
std::string near_hundred(double value) {
  const int decimals = decimals_for(100.0 - value, 1);
  const double unit = std::pow(10.0, decimals);
  return fixed(std::floor(value * unit + 1e-6) / unit, decimals);
}

}  // namespace

std::string RttScale::unit() const {
  return unit_ns == kMicrosecond ? "us" : "ms";
}

std::string RttScale::format(std::int64_t rtt_ns) const {
  return fixed(static_cast<double>(rtt_ns) / static_cast<double>(unit_ns), decimals);
}

std::string RttScale::format_short(std::int64_t rtt_ns) const {
  const double value = static_cast<double>(rtt_ns) / static_cast<double>(unit_ns);
  return fixed(value, value >= 10.0 ? 0 : std::min(decimals, decimals_for(value, 2)));
}

RttScale scale_for(std::span<const stats::DestinationResult> destinations) {
  std::int64_t shortest_p50 = std::numeric_limits<std::int64_t>::max();
  std::int64_t longest_p99 = 0;
  for (const auto& destination : destinations) {
    if (destination.rtt.count > 0) {
      shortest_p50 = std::min(shortest_p50, destination.rtt.p50_ns);
      longest_p99 = std::max(longest_p99, destination.rtt.p99_ns);
    }
  }
  if (longest_p99 > 0 && longest_p99 < kMillisecond / 10) {
    return {kMicrosecond, 1};
  }
  if (longest_p99 == 0 || shortest_p50 < 10 * kMillisecond) {
    return {kMillisecond, 3};
  }
  return {kMillisecond, shortest_p50 < 100 * kMillisecond ? 2 : 1};
}

std::string percent_number(double ratio) {
  const double value = ratio * 100.0;
  if (!(value > 0.0)) {
    return "0";
  }
  if (value >= 100.0) {
    return "100";
  }
  if (value >= 99.95) {
    return near_hundred(value);
  }
  if (value >= 0.995) {
    return fixed(value, 1);
  }
  // 0.0996 must not become 0.100: the digits are chosen after rounding.
  const double unit = std::pow(10.0, decimals_for(value, 2));
  return fixed(value, decimals_for(std::round(value * unit) / unit, 2));
}

std::string percent(double ratio) {
  return percent_number(ratio) + " %";
}

std::string confidence(const stats::Ratio& ratio) {
  if (ratio.value <= 0.0) {
    return fmt::format("95 %: below {} %", bound_number(ratio.high * 100.0, true));
  }
  if (ratio.value >= 1.0) {
    const double low = ratio.low * 100.0;
    return fmt::format("95 %: above {} %", low >= 99.95 ? near_hundred(low) : bound_number(low, false));
  }
  return fmt::format("95 %: {} to {} %", percent_number(ratio.low), percent_number(ratio.high));
}

std::string duration_text(std::int64_t duration_ns) {
  if (duration_ns == 0) {
    return "0 s";
  }
  if (duration_ns < kMillisecond) {
    return fmt::format("{} us", duration_ns / kMicrosecond);
  }
  if (duration_ns < kSecond) {
    return fmt::format("{} ms", duration_ns / kMillisecond);
  }
  if (duration_ns < 120 * kSecond) {
    const std::int64_t tenths = duration_ns / (kSecond / 10);
    return tenths % 10 == 0 ? fmt::format("{} s", tenths / 10) : fmt::format("{}.{} s", tenths / 10, tenths % 10);
  }
  const std::int64_t seconds = duration_ns / kSecond;
  const std::int64_t hours = seconds / 3600;
  const std::int64_t minutes = seconds / 60 % 60;
  std::string text;
  if (hours > 0) {
    text += fmt::format("{} h", hours);
  }
  if (minutes > 0) {
    text += fmt::format("{}{} min", text.empty() ? "" : " ", minutes);
  }
  if (hours == 0 && seconds % 60 > 0) {
    text += fmt::format("{}{} s", text.empty() ? "" : " ", seconds % 60);
  }
  return text;
}

std::string rate_text(double rate_pps) {
  if (rate_pps >= 100.0 || rate_pps == std::floor(rate_pps)) {
    return fmt::format("{:.0f}/s", rate_pps);
  }
  std::string text = fixed(rate_pps, std::max(1, decimals_for(rate_pps, 3)));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  return text + "/s";
}

double rounded_ratio(double ratio) {
  if (!std::isfinite(ratio)) {
    return ratio;
  }
  const std::string text = fmt::format("{:.9g}", ratio);
  double rounded = ratio;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace volley::report

// Numbers and names in the sentences of findings. Pure; any thread.
#include "volley/diagnosis/wording.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

namespace volley::diagnosis {
namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  return std::string(text.data(), end.ptr);
}

// Two significant digits, one decimal from ten on; 100 only for what is 100.
std::string percent_number(double ratio) {
  const double value = 100.0 * ratio;
  if (value <= 0.0) return "0";
  if (value >= 100.0) return "100";
  if (value >= 99.95) return fixed(std::min(value, 99.99), 2);
  if (value >= 9.95) return fixed(value, 1);
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(value * 1.0000001))), 1, 8);
  return fixed(value, decimals);
}

}  // namespace

std::string percent(double ratio) {
  return percent_number(ratio) + " %";
}

std::string percent_with_interval(std::uint64_t hits, std::uint64_t trials) {
  const double ratio = trials == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(trials);
  const Interval interval = clopper_pearson(hits, trials);
  return percent(ratio) + ", 95 %: " + interval_text(interval);
}

std::string interval_text(const Interval& interval) {
  return percent_number(interval.low) + " to " + percent(interval.high);
}

std::string part_of(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(part) + " of " + std::to_string(whole);
}

std::string p_text(double log_p) {
  const double decades = -log_p / std::numbers::ln10;
  if (decades >= 3.0) {
    // Beyond that nobody is convinced further.
    constexpr double kMostDecades = 99.0;
    return "p < 1e-" + std::to_string(static_cast<std::int64_t>(std::min(decades, kMostDecades)));
  }
  return "p = " + fixed(std::exp(std::min(log_p, 0.0)), decades >= 2.0 ? 4 : (decades >= 1.0 ? 3 : 2));
}

double p_value(double log_p) {
  return std::max(std::exp(std::min(log_p, 0.0)), std::numeric_limits<double>::min());
}

std::string time_text(std::int64_t ns) {
  const double milliseconds = static_cast<double>(ns) / 1e6;
  if (milliseconds >= 1000.0) return fixed(milliseconds / 1000.0, 2) + " s";
  if (milliseconds >= 100.0) return fixed(milliseconds, 0) + " ms";
  if (milliseconds >= 10.0) return fixed(milliseconds, 1) + " ms";
  if (milliseconds >= 1.0) return fixed(milliseconds, 2) + " ms";
  return fixed(milliseconds, 3) + " ms";
}

std::string time_range_text(std::int64_t low_ns, std::int64_t high_ns) {
  const std::string low = time_text(low_ns);
  const std::string high = time_text(high_ns);
  if (low == high) return low;
  const std::size_t unit = low.find(' ');
  const bool has_same_unit = low.substr(unit) == high.substr(high.find(' '));
  return (has_same_unit ? low.substr(0, unit) : low) + " to " + high;
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string share_text(double share) {
  constexpr double kLargestPart = 0.45;
  if (share > kLargestPart) return percent(share) + " of the flows";
  return "about 1 queue in " + std::to_string(std::llround(1.0 / share));
}

std::string enumeration(std::span<const std::uint16_t> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += i + 1 == values.size() ? " and " : ", ";
    text += std::to_string(values[i]);
  }
  return text;
}

std::string port_list(std::span<const std::uint16_t> ports) {
  std::string text;
  for (const std::uint16_t port : ports) {
    if (!text.empty()) text += ' ';
    text += std::to_string(port);
  }
  return text;
}

std::string service_text(probe::Protocol protocol, std::uint16_t port) {
  switch (protocol) {
    case probe::Protocol::tcp:
      return "tcp/" + std::to_string(port);
    case probe::Protocol::udp:
      return "udp/" + std::to_string(port);
    case probe::Protocol::icmp:
      return "icmp";
  }
  return {};
}

std::string target_argument(const stats::DestinationResult& destination, probe::Protocol protocol) {
  std::string host = destination.target.empty() ? wire::to_string(destination.address) : destination.target;
  if (protocol == probe::Protocol::icmp) return host;
  const bool literal_v6 = host.find(':') != std::string::npos && host.front() != '[';
  if (literal_v6) host = "[" + host + "]";
  return host + ":" + std::to_string(destination.port);
}

std::string protocol_option(probe::Protocol protocol) {
  switch (protocol) {
    case probe::Protocol::tcp:
      return {};
    case probe::Protocol::udp:
      return " --udp";
    case probe::Protocol::icmp:
      return " --icmp";
  }
  return {};
}

}  // namespace volley::diagnosis

// Reads quantities from the command line (see the header).
#include "volley/app/quantity.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <charconv>
#include <cmath>
#include <optional>

#include "volley/wire/packet.h"

namespace volley::app {
namespace {

// A decimal number with an optional fraction, and the rest of the text.
struct NumberAndRest {
  double value = 0.0;
  std::string_view rest;
};

std::optional<NumberAndRest> split_number(std::string_view text) {
  // from_chars would also take "inf", "nan" and a sign.
  if (text.empty() || ((text.front() < '0' || text.front() > '9') && text.front() != '.')) return std::nullopt;
  NumberAndRest result;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, result.value, std::chars_format::fixed);
  if (parsed.ec != std::errc{}) return std::nullopt;
  result.rest = std::string_view(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  return result;
}

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::uint16_t parse_port(std::string_view text, std::string_view list) {
  std::uint16_t port = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, port);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end || port == 0) {
    throw BadQuantity(quoted(list) + " is not a list of ports like 80,443,8000-8010 (each 1 to 65535)");
  }
  return port;
}

// Calls `visit` with each part of `text` between commas, empty parts included.
template <typename Visit>
void for_each_part(std::string_view text, Visit visit) {
  while (true) {
    const std::size_t comma = text.find(',');
    visit(text.substr(0, comma));
    if (comma == std::string_view::npos) return;
    text.remove_prefix(comma + 1);
  }
}

struct TcpFlagName {
  char letter;
  std::string_view name;
  std::uint8_t bit;
};

constexpr std::array<TcpFlagName, 8> kTcpFlagNames{{
    {'F', "FIN", wire::tcp_flag::kFin},
    {'S', "SYN", wire::tcp_flag::kSyn},
    {'R', "RST", wire::tcp_flag::kRst},
    {'P', "PSH", wire::tcp_flag::kPsh},
    {'A', "ACK", wire::tcp_flag::kAck},
    {'U', "URG", wire::tcp_flag::kUrg},
    {'E', "ECE", wire::tcp_flag::kEce},
    {'C', "CWR", wire::tcp_flag::kCwr},
}};

char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// The flag bits of one part: a name or a run of letters; nullopt if neither.
std::optional<std::uint8_t> flags_of_part(std::string_view part) {
  std::string text(part);
  std::transform(text.begin(), text.end(), text.begin(), upper);
  for (const TcpFlagName& flag : kTcpFlagNames) {
    if (text == flag.name) return flag.bit;
  }
  std::uint8_t bits = 0;
  for (const char letter : text) {
    const auto flag = std::find_if(kTcpFlagNames.begin(), kTcpFlagNames.end(),
                                   [letter](const TcpFlagName& candidate) { return candidate.letter == letter; });
    if (flag == kTcpFlagNames.end()) return std::nullopt;
    bits = static_cast<std::uint8_t>(bits | flag->bit);
  }
  return text.empty() ? std::nullopt : std::optional(bits);
}

std::optional<std::uint8_t> hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<std::uint8_t>(digit - '0');
  const char letter = upper(digit);
  if (letter >= 'A' && letter <= 'F') return static_cast<std::uint8_t>(letter - 'A' + 10);
  return std::nullopt;
}

}  // namespace

std::chrono::nanoseconds parse_time(std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double nanoseconds;
  };
  constexpr std::array<Unit, 7> kUnits{
      {{"", 1e9}, {"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}}};
  constexpr double kTenYears = 10.0 * 365.25 * 86400e9;
  if (const auto number = split_number(text)) {
    for (const Unit& unit : kUnits) {
      if (number->rest != unit.suffix) continue;
      const double value = number->value * unit.nanoseconds;
      if (value > kTenYears) throw BadQuantity(quoted(text) + " is longer than ten years");
      // Zero has a meaning of its own; what is more than nothing stays more.
      const std::chrono::nanoseconds time(std::llround(value));
      return time.count() == 0 && number->value > 0.0 ? std::chrono::nanoseconds(1) : time;
    }
  }
  throw BadQuantity(quoted(text) + " is not a time like 200us, 1.5ms, 10s, 2m or 1h (a bare number is seconds)");
}

std::uint64_t parse_whole(std::string_view text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const bool is_hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const std::string_view digits = is_hex ? text.substr(2) : text;
  const char* end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value, is_hex ? 16 : 10);
  if (digits.empty() || parsed.ec != std::errc{} || parsed.ptr != end || value < low || value > high) {
    throw BadQuantity(quoted(text) + " is not a whole number from " + std::to_string(low) + " to " +
                      std::to_string(high));
  }
  return value;
}

double parse_rate(std::string_view text) {
  if (const auto number = split_number(text)) {
    double scale = 0.0;
    if (number->rest.empty()) scale = 1.0;
    if (number->rest == "k" || number->rest == "K") scale = 1e3;
    if (number->rest == "M") scale = 1e6;
    const double rate = number->value * scale;
    if (rate > 0.0 && rate <= 1e9) return rate;
  }
  throw BadQuantity(quoted(text) + " is not a number of probes per second above 0, like 0.5, 1000, 20k or max");
}

std::vector<std::uint16_t> parse_port_list(std::string_view text) {
  std::vector<std::uint16_t> ports;
  std::bitset<65536> seen;
  for_each_part(text, [&](std::string_view part) {
    const std::size_t dash = part.find('-');
    const std::uint16_t first = parse_port(part.substr(0, dash), text);
    const std::uint16_t last = dash == std::string_view::npos ? first : parse_port(part.substr(dash + 1), text);
    if (last < first) throw BadQuantity(quoted(part) + " is a range that ends before it begins");
    for (std::uint32_t port = first; port <= last; ++port) {
      if (seen.test(port)) continue;
      seen.set(port);
      ports.push_back(static_cast<std::uint16_t>(port));
    }
  });
  return ports;
}

std::uint8_t parse_tcp_flags(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && text[1] == 'x') {
    return static_cast<std::uint8_t>(parse_whole(text, 0, 0xff));
  }
  std::uint8_t bits = 0;
  for_each_part(text, [&](std::string_view part) {
    const auto flags = flags_of_part(part);
    if (!flags) throw BadQuantity(quoted(text) + " are not TCP flags like S, SA, syn,ack or 0x12");
    bits = static_cast<std::uint8_t>(bits | *flags);
  });
  return bits;
}

std::vector<std::uint8_t> parse_hex_bytes(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  std::vector<std::uint8_t> bytes;
  bool has_half = false;  // the last byte still lacks its low digit
  for (const char digit : digits) {
    if (digit == ':' && !has_half) continue;
    const auto value = hex_digit(digit);
    if (!value) throw BadQuantity(quoted(text) + " is not a row of hexadecimal bytes like 0a1b2c");
    if (has_half) {
      bytes.back() = static_cast<std::uint8_t>(bytes.back() << 4U | *value);
    } else {
      bytes.push_back(*value);
    }
    has_half = !has_half;
  }
  if (has_half || bytes.empty())
    throw BadQuantity(quoted(text) + " is not a row of whole hexadecimal bytes like 0a1b2c");
  return bytes;
}

}  // namespace volley::app

// Text forms and classes of IP addresses.
//
// Pure; any thread. Written without the system's inet_pton and inet_ntop, so
// that what is accepted does not depend on the C library.
#include "volley/wire/address.h"

#include <algorithm>
#include <cstddef>

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

constexpr std::size_t kGroups = 8;  // 16-bit groups of an IPv6 address

using Groups = std::array<std::uint16_t, kGroups>;

std::optional<std::array<std::uint8_t, 4>> parse_dotted_quad(std::string_view text) {
  std::array<std::uint8_t, 4> octets{};
  std::size_t at = 0;
  for (std::size_t part = 0; part < octets.size(); ++part) {
    if (part > 0) {
      if (at == text.size() || text[at] != '.') {
        return std::nullopt;
      }
      ++at;
    }
    const std::size_t first = at;
    unsigned value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - first < 3) {
      value = value * 10 + static_cast<unsigned>(text[at] - '0');
      ++at;
    }
    // A leading zero is octal to some readers and decimal to others.
    const bool leading_zero = at - first > 1 && text[first] == '0';
    if (at == first || leading_zero || value > 255) {
      return std::nullopt;
    }
    octets[part] = static_cast<std::uint8_t>(value);
  }
  if (at != text.size()) {
    return std::nullopt;
  }
  return octets;
}

int hex_digit(char character) {
  if (character >= '0' && character <= '9') {
    return character - '0';
  }
  if (character >= 'a' && character <= 'f') {
    return character - 'a' + 10;
  }
  if (character >= 'A' && character <= 'F') {
    return character - 'A' + 10;
  }
  return -1;
}

// One side of a "::", or the whole text without one.
struct GroupRun {
  Groups groups{};
  std::size_t count = 0;
};

enum class DottedTail : std::uint8_t { allowed, forbidden };

// Groups separated by single colons; the last may be a dotted quad, which
// stands for two groups. An empty text is a run of none.
std::optional<GroupRun> parse_groups(std::string_view text, DottedTail tail) {
  GroupRun run;
  while (!text.empty()) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (tail == DottedTail::allowed && colon == std::string_view::npos && group.find('.') != std::string_view::npos) {
      const auto quad = parse_dotted_quad(group);
      if (!quad || run.count + 2 > kGroups) {
        return std::nullopt;
      }
      run.groups[run.count++] = load_be16(*quad, 0);
      run.groups[run.count++] = load_be16(*quad, 2);
      return run;
    }
    if (group.empty() || group.size() > 4 || run.count == kGroups) {
      return std::nullopt;
    }
    unsigned value = 0;
    for (const char character : group) {
      const int digit = hex_digit(character);
      if (digit < 0) {
        return std::nullopt;
      }
      value = value * 16 + static_cast<unsigned>(digit);
    }
    run.groups[run.count++] = static_cast<std::uint16_t>(value);
    if (colon == std::string_view::npos) {
      return run;
    }
    text.remove_prefix(colon + 1);
    if (text.empty()) {
      return std::nullopt;  // a lone colon at the end
    }
  }
  return run;
}

std::optional<Groups> parse_v6_groups(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    const auto whole = parse_groups(text, DottedTail::allowed);
    if (!whole || whole->count != kGroups) {
      return std::nullopt;
    }
    return whole->groups;
  }
  const auto left = parse_groups(text.substr(0, gap), DottedTail::forbidden);
  const auto right = parse_groups(text.substr(gap + 2), DottedTail::allowed);
  // "::" stands for one group or more (RFC 4291 section 2.2).
  if (!left || !right || left->count + right->count >= kGroups) {
    return std::nullopt;
  }
  Groups groups = left->groups;
  std::copy_n(right->groups.begin(), right->count, groups.end() - static_cast<std::ptrdiff_t>(right->count));
  return groups;
}

void append_dotted_quad(std::string& text, std::span<const std::uint8_t> octets) {
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) {
      text += '.';
    }
    text += std::to_string(octets[i]);
  }
}

void append_hex(std::string& text, std::uint16_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  bool started = false;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const std::size_t digit = (static_cast<unsigned>(value) >> static_cast<unsigned>(shift)) & 0xfU;
    started = started || digit != 0 || shift == 0;
    if (started) {
      text += kDigits[digit];
    }
  }
}

struct ZeroRun {
  std::size_t first = 0;
  std::size_t count = 0;
};

// The first longest run of zero groups; a single zero group is not shortened
// (RFC 5952 section 4.2).
ZeroRun longest_zero_run(const Groups& groups, std::size_t size) {
  ZeroRun best;
  ZeroRun current;
  for (std::size_t i = 0; i < size; ++i) {
    if (groups[i] != 0) {
      current = {};
      continue;
    }
    if (current.count == 0) {
      current.first = i;
    }
    ++current.count;
    if (current.count > best.count) {
      best = current;
    }
  }
  return best.count >= 2 ? best : ZeroRun{};
}

bool is_v4_mapped(const IpAddress& address) {
  const auto bytes = address.bytes();
  return address.is_v6() && std::all_of(bytes.begin(), bytes.begin() + 10, [](std::uint8_t b) { return b == 0; }) &&
         load_be16(bytes, 10) == 0xffff;
}

std::string v6_to_string(const IpAddress& address) {
  Groups groups{};
  for (std::size_t i = 0; i < kGroups; ++i) {
    groups[i] = load_be16(address.octets, 2 * i);
  }
  // RFC 5952 section 5: the well-known mapped prefix takes the mixed form.
  const bool mapped = is_v4_mapped(address);
  const std::size_t size = mapped ? kGroups - 2 : kGroups;
  const ZeroRun run = longest_zero_run(groups, size);
  std::string text;
  for (std::size_t i = 0; i < size;) {
    if (run.count > 0 && i == run.first) {
      text += "::";
      i += run.count;
      continue;
    }
    if (!text.empty() && text.back() != ':') {
      text += ':';
    }
    append_hex(text, groups[i]);
    ++i;
  }
  if (mapped) {
    text += ':';
    append_dotted_quad(text, address.bytes().last(4));
  }
  return text;
}

}  // namespace

IpAddress IpAddress::from_v4(std::span<const std::uint8_t, 4> octets) {
  IpAddress address;
  std::copy(octets.begin(), octets.end(), address.octets.begin());
  return address;
}

IpAddress IpAddress::from_v6(std::span<const std::uint8_t, 16> octets) {
  IpAddress address;
  address.family = IpFamily::v6;
  std::copy(octets.begin(), octets.end(), address.octets.begin());
  return address;
}

std::optional<IpAddress> parse_address(std::string_view text) {
  if (text.find(':') == std::string_view::npos) {
    const auto quad = parse_dotted_quad(text);
    return quad ? std::optional(IpAddress::from_v4(*quad)) : std::nullopt;
  }
  const auto groups = parse_v6_groups(text);
  if (!groups) {
    return std::nullopt;
  }
  IpAddress address;
  address.family = IpFamily::v6;
  for (std::size_t i = 0; i < kGroups; ++i) {
    store_be16(address.octets, 2 * i, (*groups)[i]);
  }
  return address;
}

std::string to_string(const IpAddress& address) {
  if (address.is_v6()) {
    return v6_to_string(address);
  }
  std::string text;
  append_dotted_quad(text, address.bytes());
  return text;
}

bool is_link_local(const IpAddress& address) {
  const auto bytes = address.bytes();
  return address.is_v6() ? (load_be16(bytes) & 0xffc0U) == 0xfe80 : load_be16(bytes) == 0xa9fe;
}

bool is_loopback(const IpAddress& address) {
  if (!address.is_v6()) {
    return address.octets[0] == 127;
  }
  IpAddress one{IpFamily::v6, {}};
  one.octets.back() = 1;
  return address == one;
}

bool is_multicast(const IpAddress& address) {
  return address.is_v6() ? address.octets[0] == 0xff : (address.octets[0] & 0xf0U) == 0xe0;
}

bool is_limited_broadcast(const IpAddress& address) {
  return !address.is_v6() && load_be32(address.bytes()) == 0xffffffff;
}

bool is_unspecified(const IpAddress& address) {
  return std::all_of(address.octets.begin(), address.octets.end(), [](std::uint8_t b) { return b == 0; });
}

bool is_public(const IpAddress& address) {
  if (is_link_local(address) || is_loopback(address)) {
    return false;
  }
  if (address.is_v6()) {
    return (address.octets[0] & 0xfeU) != 0xfc;  // fc00::/7, RFC 4193
  }
  const std::uint32_t value = load_be32(address.bytes());
  const bool is_private = (value >> 24U) == 0x0a ||       // 10/8
                          (value >> 20U) == 0xac1 ||      // 172.16/12
                          (value >> 16U) == 0xc0a8 ||     // 192.168/16
                          (value >> 22U) == 0x6440 >> 6;  // 100.64/10, RFC 6598
  return !is_private;
}

}  // namespace volley::wire

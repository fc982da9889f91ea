// An IP address of either family, and its text forms.
//
// A plain value: safe in any thread. Octets are kept in network order, as they
// stand in a header; an IPv4 address uses the first four, the others are zero,
// so defaulted comparison is right.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volley::wire {

enum class IpFamily : std::uint8_t { v4 = 4, v6 = 6 };

struct IpAddress {
  IpFamily family = IpFamily::v4;
  std::array<std::uint8_t, 16> octets{};

  static IpAddress from_v4(std::span<const std::uint8_t, 4> octets);
  static IpAddress from_v6(std::span<const std::uint8_t, 16> octets);

  // The 4 or 16 octets that go into a header.
  std::span<const std::uint8_t> bytes() const {
    return std::span<const std::uint8_t>(octets).first(family == IpFamily::v4 ? 4U : 16U);
  }
  bool is_v6() const { return family == IpFamily::v6; }

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;
};

// Dotted quad (four decimal parts, no octal) or RFC 4291 section 2.2 text,
// without zone or brackets. nullopt if it is neither.
std::optional<IpAddress> parse_address(std::string_view text);

// Dotted quad, or the canonical form of RFC 5952.
std::string to_string(const IpAddress& address);

// fe80::/10, 169.254/16.
bool is_link_local(const IpAddress& address);
bool is_loopback(const IpAddress& address);
bool is_multicast(const IpAddress& address);
// 255.255.255.255 only; a subnet's own broadcast address is the route's to know.
bool is_limited_broadcast(const IpAddress& address);
bool is_unspecified(const IpAddress& address);
// Anything outside RFC 1918, 100.64/10 (RFC 6598), unique local (RFC 4193),
// link-local and loopback.
bool is_public(const IpAddress& address);

}  // namespace volley::wire

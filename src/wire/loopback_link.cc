// Reads the address family in front of BSD loopback captures.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/loopback_link.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

// AF_INET is 2 everywhere; each system numbered AF_INET6 for itself.
constexpr std::uint32_t kFamilyIpv4 = 2;
constexpr std::uint32_t kFamilyIpv6Linux = 10;
constexpr std::uint32_t kFamilyIpv6NetBsd = 24;  // OpenBSD too
constexpr std::uint32_t kFamilyIpv6FreeBsd = 28;
constexpr std::uint32_t kFamilyIpv6Darwin = 30;

// Every family is below this; one read in the wrong order is above it.
constexpr std::uint32_t kFamilyLimit = 0x10000;

std::uint32_t byte_swapped(std::uint32_t value) {
  return (value >> 24U) | ((value >> 8U) & 0xff00U) | ((value << 8U) & 0xff0000U) | (value << 24U);
}

std::uint16_t ethertype_of(std::uint32_t family) {
  switch (family) {
    case kFamilyIpv4:
      return kEthertypeIpv4;
    case kFamilyIpv6Linux:
    case kFamilyIpv6NetBsd:
    case kFamilyIpv6FreeBsd:
    case kFamilyIpv6Darwin:
      return kEthertypeIpv6;
    default:
      return 0;
  }
}

}  // namespace

std::optional<LinkPayload> read_loopback(std::span<const std::uint8_t> frame) {
  if (frame.size() < kLoopbackHeaderBytes) {
    return std::nullopt;
  }
  const std::uint32_t value = load_be32(frame);
  const std::uint32_t family = value < kFamilyLimit ? value : byte_swapped(value);
  return LinkPayload{ethertype_of(family), frame.subspan(kLoopbackHeaderBytes)};
}

}  // namespace volley::wire

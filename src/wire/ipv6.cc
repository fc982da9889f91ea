// Reads the IPv6 header and walks its extension headers.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/ipv6.h"

#include <algorithm>
#include <limits>

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

constexpr std::size_t kFragmentHeaderBytes = 8;
constexpr std::uint16_t kFragmentOffsetMask = 0xfff8;  // RFC 8200 section 4.5: units of 8 bytes, in place
constexpr std::uint16_t kMoreFragments = 0x0001;
constexpr std::size_t kSmallestExtensionBytes = 8;

// Bytes of the extension header that starts `bytes`, 0 if `next_header` is none.
std::size_t extension_bytes(std::uint8_t next_header, std::span<const std::uint8_t> bytes) {
  switch (next_header) {
    case kIpv6HopByHop:
    case kIpv6Routing:
    case kIpv6DestinationOptions:
      return (bytes[1] + std::size_t{1}) * 8;  // RFC 8200 section 4.3
    case kIpv6Authentication:
      return (bytes[1] + std::size_t{2}) * 4;  // RFC 4302 section 2.2
    case kIpv6Fragment:
      return kFragmentHeaderBytes;
    default:
      return 0;
  }
}

bool is_extension(std::uint8_t next_header) {
  switch (next_header) {
    case kIpv6HopByHop:
    case kIpv6Routing:
    case kIpv6DestinationOptions:
    case kIpv6Authentication:
    case kIpv6Fragment:
      return true;
    default:
      return false;
  }
}

// Moves `payload` behind the extension headers and ip.protocol to what follows
// them.
DecodeStatus skip_extensions(IpInfo& ip, IpPayload& payload) {
  for (std::size_t count = 0; is_extension(ip.protocol); ++count) {
    // Hop-by-hop options come first or not at all (RFC 8200 section 4.1).
    const bool misplaced = ip.protocol == kIpv6HopByHop && count > 0;
    if (count == kIpv6MaxExtensionHeaders || misplaced || payload.bytes.size() < kSmallestExtensionBytes) {
      return DecodeStatus::bad_extension_header;
    }
    const std::size_t length = extension_bytes(ip.protocol, payload.bytes);
    if (length > payload.bytes.size()) {
      return DecodeStatus::bad_extension_header;
    }
    const bool is_fragment = ip.protocol == kIpv6Fragment;
    ip.protocol = payload.bytes[0];
    if (is_fragment) {
      const std::uint16_t field = load_be16(payload.bytes, 2);
      ip.fragment_offset = field & kFragmentOffsetMask;
      ip.more_fragments = (field & kMoreFragments) != 0;
    }
    payload.bytes = payload.bytes.subspan(length);
    payload.declared_bytes -= length;
    if (ip.fragment_offset != 0) {
      return DecodeStatus::later_fragment;
    }
  }
  return DecodeStatus::ok;
}

}  // namespace

DecodeStatus read_ipv6(std::span<const std::uint8_t> bytes, PacketContext context, IpInfo& ip, IpPayload& payload) {
  if (bytes.size() < kIpv6HeaderBytes) {
    return DecodeStatus::truncated_ip;
  }
  const std::uint32_t first_word = load_be32(bytes, kIpv6VersionOffset);
  if (first_word >> 28U != 6) {
    return DecodeStatus::bad_ip_header;
  }
  const std::uint16_t payload_length = load_be16(bytes, kIpv6PayloadLengthOffset);
  ip.source = IpAddress::from_v6(bytes.subspan<kIpv6SourceOffset, 16>());
  ip.destination = IpAddress::from_v6(bytes.subspan<kIpv6DestinationOffset, 16>());
  ip.protocol = bytes[kIpv6NextHeaderOffset];
  ip.ttl = bytes[kIpv6HopLimitOffset];
  ip.traffic_class = static_cast<std::uint8_t>(first_word >> 20U);
  ip.total_length = static_cast<std::uint16_t>(
      std::min<std::size_t>(kIpv6HeaderBytes + payload_length, std::numeric_limits<std::uint16_t>::max()));

  const std::span<const std::uint8_t> rest = bytes.subspan(kIpv6HeaderBytes);
  payload.declared_bytes = payload_length == 0 ? rest.size() : payload_length;
  if (context == PacketContext::quoted) {
    payload.declared_bytes = std::max(payload.declared_bytes, kQuotedTransportBytes);
  }
  payload.bytes = rest.first(std::min(rest.size(), payload.declared_bytes));
  return skip_extensions(ip, payload);
}

}  // namespace volley::wire

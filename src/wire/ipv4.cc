// Reads the IPv4 header.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/ipv4.h"

#include <algorithm>

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

constexpr std::size_t kFragmentUnitBytes = 8;

}  // namespace

DecodeStatus read_ipv4(std::span<const std::uint8_t> bytes, PacketContext context, IpInfo& ip, IpPayload& payload) {
  if (bytes.size() < kIpv4HeaderBytes) {
    return DecodeStatus::truncated_ip;
  }
  const std::size_t header_bytes = (bytes[kIpv4VersionOffset] & 0x0fU) * std::size_t{4};
  if (bytes[kIpv4VersionOffset] >> 4U != 4 || header_bytes < kIpv4HeaderBytes) {
    return DecodeStatus::bad_ip_header;
  }
  ip.source = IpAddress::from_v4(bytes.subspan<kIpv4SourceOffset, 4>());
  ip.destination = IpAddress::from_v4(bytes.subspan<kIpv4DestinationOffset, 4>());
  ip.protocol = bytes[kIpv4ProtocolOffset];
  ip.ttl = bytes[kIpv4TtlOffset];
  ip.traffic_class = bytes[kIpv4TrafficClassOffset];
  ip.identification = load_be16(bytes, kIpv4IdentificationOffset);
  ip.total_length = load_be16(bytes, kIpv4TotalLengthOffset);
  const std::uint16_t fragment = load_be16(bytes, kIpv4FragmentOffset);
  ip.fragment_offset = static_cast<std::uint16_t>((fragment & kIpv4FragmentOffsetMask) * kFragmentUnitBytes);
  ip.more_fragments = (fragment & kIpv4MoreFragments) != 0;
  ip.dont_fragment = (fragment & kIpv4DontFragment) != 0;

  std::size_t total = ip.total_length == 0 ? bytes.size() : ip.total_length;
  if (context == PacketContext::quoted) {
    total = std::max(total, header_bytes + kQuotedTransportBytes);
  }
  if (total < header_bytes) {
    return DecodeStatus::bad_ip_header;
  }
  if (bytes.size() < header_bytes) {
    return DecodeStatus::truncated_ip;
  }
  payload.declared_bytes = total - header_bytes;
  payload.bytes = bytes.subspan(header_bytes, std::min(bytes.size(), total) - header_bytes);
  return ip.fragment_offset == 0 ? DecodeStatus::ok : DecodeStatus::later_fragment;
}

}  // namespace volley::wire

// The IPv6 header and its extension headers (RFC 8200): layout constants and reader.
//
// Pure; never reads outside the span. Any thread. Offsets are from the start of
// the IP header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/wire/decode_status.h"
#include "volley/wire/ip_payload.h"
#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kIpv6HeaderBytes = 40;
inline constexpr std::size_t kIpv6VersionOffset = 0;  // version, traffic class, flow label
inline constexpr std::size_t kIpv6PayloadLengthOffset = 4;
inline constexpr std::size_t kIpv6NextHeaderOffset = 6;
inline constexpr std::size_t kIpv6HopLimitOffset = 7;
inline constexpr std::size_t kIpv6SourceOffset = 8;
inline constexpr std::size_t kIpv6DestinationOffset = 24;
inline constexpr std::uint32_t kIpv6FlowLabelMask = 0x000fffff;

// Next-header values that extend the IP header (IANA protocol numbers).
inline constexpr std::uint8_t kIpv6HopByHop = 0;
inline constexpr std::uint8_t kIpv6Routing = 43;
inline constexpr std::uint8_t kIpv6Fragment = 44;
inline constexpr std::uint8_t kIpv6Authentication = 51;
inline constexpr std::uint8_t kIpv6DestinationOptions = 60;
// RFC 8200 section 4.1 knows at most seven headers, destination options twice among them.
inline constexpr std::size_t kIpv6MaxExtensionHeaders = 8;

// Reads the header into `ip`, walks the extension headers and finds the
// payload. ok, truncated_ip, bad_ip_header, bad_extension_header, or
// later_fragment (`ip` is set whenever the fixed header could be read).
// A payload length of 0 (segmentation offload, jumbograms) reaches to the end
// of `bytes`. PacketContext as for read_ipv4.
DecodeStatus read_ipv6(std::span<const std::uint8_t> bytes, PacketContext context, IpInfo& ip, IpPayload& payload);

}  // namespace volley::wire

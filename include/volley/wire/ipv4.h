// The IPv4 header (RFC 791): layout constants and reader.
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

inline constexpr std::size_t kIpv4HeaderBytes = 20;  // without options
inline constexpr std::size_t kIpv4MaxHeaderBytes = 60;
inline constexpr std::size_t kIpv4VersionOffset = 0;  // version and header length in words
inline constexpr std::size_t kIpv4TrafficClassOffset = 1;
inline constexpr std::size_t kIpv4TotalLengthOffset = 2;
inline constexpr std::size_t kIpv4IdentificationOffset = 4;
inline constexpr std::size_t kIpv4FragmentOffset = 6;  // flags and fragment offset
inline constexpr std::size_t kIpv4TtlOffset = 8;
inline constexpr std::size_t kIpv4ProtocolOffset = 9;
inline constexpr std::size_t kIpv4ChecksumOffset = 10;
inline constexpr std::size_t kIpv4SourceOffset = 12;
inline constexpr std::size_t kIpv4DestinationOffset = 16;

inline constexpr std::uint16_t kIpv4DontFragment = 0x4000;
inline constexpr std::uint16_t kIpv4MoreFragments = 0x2000;
inline constexpr std::uint16_t kIpv4FragmentOffsetMask = 0x1fff;  // in units of 8 bytes

// Reads the header into `ip` and finds the payload. ok, truncated_ip,
// bad_ip_header, or later_fragment (`ip` and `payload` are set).
// A total length of 0 (segmentation offload on a captured frame) reaches to the
// end of `bytes`. In a quoted packet the total length may have been altered on
// the way (some stacks take the header off it, some swap it), so there it never
// cuts the payload below the 8 transport bytes that a quote owes.
DecodeStatus read_ipv4(std::span<const std::uint8_t> bytes, PacketContext context, IpInfo& ip, IpPayload& payload);

}  // namespace volley::wire

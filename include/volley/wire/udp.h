// The UDP header (RFC 768): layout constants and reader.
//
// Pure; never reads outside the span. Any thread. Offsets are from the start of
// the UDP header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/wire/decode_status.h"
#include "volley/wire/ip_payload.h"
#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kUdpHeaderBytes = 8;
inline constexpr std::size_t kUdpSourcePortOffset = 0;
inline constexpr std::size_t kUdpDestinationPortOffset = 2;
inline constexpr std::size_t kUdpLengthOffset = 4;
inline constexpr std::size_t kUdpChecksumOffset = 6;

// ok, truncated_transport, or bad_transport_header (a length below 8, or more
// than the IP header leaves; the latter is right in a first fragment).
DecodeStatus read_udp(const IpPayload& datagram, const IpInfo& ip, UdpInfo& udp);

// From a quoted packet: the length is reported, and not judged.
DecodeStatus read_quoted_udp(const IpPayload& datagram, UdpInfo& udp);

}  // namespace volley::wire

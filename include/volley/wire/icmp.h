// ICMP (RFC 792) and ICMPv6 (RFC 4443): layout constants, types and reader.
//
// Pure; never reads outside the span. Any thread. Offsets are from the start of
// the ICMP header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/wire/decode_status.h"
#include "volley/wire/ip_payload.h"
#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kIcmpHeaderBytes = 8;
inline constexpr std::size_t kIcmpTypeOffset = 0;
inline constexpr std::size_t kIcmpCodeOffset = 1;
inline constexpr std::size_t kIcmpChecksumOffset = 2;
inline constexpr std::size_t kIcmpIdentifierOffset = 4;
inline constexpr std::size_t kIcmpSequenceOffset = 6;

inline constexpr std::uint8_t kIcmpEchoReply = 0;
inline constexpr std::uint8_t kIcmpUnreachable = 3;
inline constexpr std::uint8_t kIcmpSourceQuench = 4;
inline constexpr std::uint8_t kIcmpRedirect = 5;
inline constexpr std::uint8_t kIcmpEchoRequest = 8;
inline constexpr std::uint8_t kIcmpTimeExceeded = 11;
inline constexpr std::uint8_t kIcmpParameterProblem = 12;
inline constexpr std::uint8_t kIcmpPortUnreachableCode = 3;      // of kIcmpUnreachable
inline constexpr std::uint8_t kIcmpFragmentationNeededCode = 4;  // of kIcmpUnreachable
inline constexpr std::uint8_t kIcmpTtlExceededCode = 0;          // of kIcmpTimeExceeded

inline constexpr std::uint8_t kIcmpv6Unreachable = 1;
inline constexpr std::uint8_t kIcmpv6PacketTooBig = 2;
inline constexpr std::uint8_t kIcmpv6TimeExceeded = 3;
inline constexpr std::uint8_t kIcmpv6ParameterProblem = 4;
inline constexpr std::uint8_t kIcmpv6FirstInformational = 128;  // types below are errors
inline constexpr std::uint8_t kIcmpv6EchoRequest = 128;
inline constexpr std::uint8_t kIcmpv6EchoReply = 129;
inline constexpr std::uint8_t kIcmpv6PortUnreachableCode = 4;   // of kIcmpv6Unreachable
inline constexpr std::uint8_t kIcmpv6HopLimitExceededCode = 0;  // of kIcmpv6TimeExceeded

// True for the types whose message carries a quoted packet.
bool is_icmp_error_type(IpProtocol protocol, std::uint8_t type);

// ok, or truncated_transport below 8 bytes. `protocol` is icmp or icmpv6.
DecodeStatus read_icmp(const IpPayload& message, IpProtocol protocol, IcmpInfo& icmp);

// The quoted packet of an error and the extensions behind it (RFC 4884).
struct IcmpQuote {
  std::span<const std::uint8_t> packet;
  std::span<const std::uint8_t> extensions;  // empty if none
  bool length_is_possible = true;            // false: the length field points behind the end of the message
};

// `message` is what `icmp` was read from.
IcmpQuote split_icmp_quote(const IpPayload& message, IpProtocol protocol, const IcmpInfo& icmp);

}  // namespace volley::wire

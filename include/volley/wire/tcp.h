// The TCP header and its options (RFC 9293, RFC 7323, RFC 2018): layout constants and reader.
//
// Pure; never reads outside the span. Any thread. Offsets are from the start of
// the TCP header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/wire/decode_status.h"
#include "volley/wire/ip_payload.h"
#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kTcpHeaderBytes = 20;  // without options
inline constexpr std::size_t kTcpMaxHeaderBytes = 60;
inline constexpr std::size_t kTcpSourcePortOffset = 0;
inline constexpr std::size_t kTcpDestinationPortOffset = 2;
inline constexpr std::size_t kTcpSequenceOffset = 4;
inline constexpr std::size_t kTcpAcknowledgementOffset = 8;
inline constexpr std::size_t kTcpDataOffsetOffset = 12;  // header length in words, in the high 4 bits
inline constexpr std::size_t kTcpFlagsOffset = 13;
inline constexpr std::size_t kTcpWindowOffset = 14;
inline constexpr std::size_t kTcpChecksumOffset = 16;
inline constexpr std::size_t kTcpUrgentOffset = 18;
inline constexpr std::size_t kTcpOptionsOffset = 20;

// Option kinds, and their lengths with kind and length byte.
inline constexpr std::uint8_t kTcpOptionEnd = 0;
inline constexpr std::uint8_t kTcpOptionNop = 1;
inline constexpr std::uint8_t kTcpOptionMss = 2;
inline constexpr std::uint8_t kTcpOptionWindowScale = 3;
inline constexpr std::uint8_t kTcpOptionSackPermitted = 4;
inline constexpr std::uint8_t kTcpOptionTimestamps = 8;
inline constexpr std::size_t kTcpOptionMssBytes = 4;
inline constexpr std::size_t kTcpOptionWindowScaleBytes = 3;
inline constexpr std::size_t kTcpOptionSackPermittedBytes = 2;
inline constexpr std::size_t kTcpOptionTimestampsBytes = 10;

// The option bytes of one header. An impossible length ends them; what was
// read before it stands.
TcpOptions read_tcp_options(std::span<const std::uint8_t> bytes);

// ok, truncated_transport or bad_transport_header; after the last two only what
// could be read is set.
DecodeStatus read_tcp(const IpPayload& segment, TcpInfo& tcp);

// From a quoted packet: 8 bytes give ports and sequence, a whole fixed header
// its fields, a whole header its options. A router that quotes 8 bytes and pads
// with zeros (RFC 4884 section 4) leaves a data offset of 0: then only ports
// and sequence count. truncated_transport below 8 bytes.
DecodeStatus read_quoted_tcp(const IpPayload& segment, TcpInfo& tcp);

}  // namespace volley::wire

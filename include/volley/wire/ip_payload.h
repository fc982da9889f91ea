// What an IP header leaves for the transport: the bytes at hand, and how many there were.
//
// A plain value: the span points into the decoded frame.
// Invariant: bytes.size() <= declared_bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volley::wire {

// A whole packet was captured for itself; a quoted one came back inside an ICMP
// error, cut short and perhaps altered by the routers it met.
enum class PacketContext : std::uint8_t { whole, quoted };

// What a quote owes of the transport header (RFC 792); ports and sequence number are in it.
inline constexpr std::size_t kQuotedTransportBytes = 8;

struct IpPayload {
  std::span<const std::uint8_t> bytes;  // after the IP headers, without link padding
  std::size_t declared_bytes = 0;       // as the IP header says; more than bytes.size() where the capture cut
};

}  // namespace volley::wire

// What the software NIC has to know of one Ethernet frame: kind, flow, numbers.
//
// A plain value, read from the bytes alone; every length is checked. It is
// written apart from the product's decoder on purpose: the lab is the truth
// that the product is checked against. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lab {

enum class Kind : std::uint8_t {
  syn,        // TCP SYN without ACK
  syn_ack,    // TCP SYN with ACK
  rst,        // TCP RST, with or without ACK
  tcp_other,  // any other TCP segment
  udp,
  icmp_echo,   // ICMP and ICMPv6 echo, request and reply
  icmp_error,  // any other ICMP or ICMPv6 message but the two below
  other,       // any other IP packet, later fragments too
  untouched,   // not IP, or neighbour discovery and listener reports: no rule touches these
};
constexpr std::size_t kKindCount = 9;

std::string_view kind_name(Kind kind);

// One frame's facts. Numbers are in host order, addresses in network order; an
// IPv4 address uses the first four bytes.
struct FrameFacts {
  Kind kind = Kind::untouched;
  std::uint8_t ip_version = 0;  // 0 when not IP
  std::uint8_t protocol = 0;
  std::uint8_t tcp_flags = 0;
  bool has_ports = false;  // TCP or UDP, whole header present, not a fragment
  std::array<std::uint8_t, 16> source{};
  std::array<std::uint8_t, 16> destination{};
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t sequence = 0;  // TCP sequence number; ICMP identifier and sequence; first four bytes of a UDP payload
  std::uint32_t acknowledgement = 0;
  std::uint16_t ip_id = 0;  // IPv4 only
};

FrameFacts read_frame(std::span<const std::uint8_t> frame);

// The same flow as the other end sends it: addresses and ports exchanged.
FrameFacts reversed(const FrameFacts& facts);

// Dotted quad or the usual IPv6 text; empty when the frame is not IP.
std::string address_text(const FrameFacts& facts, const std::array<std::uint8_t, 16>& address);

}  // namespace lab

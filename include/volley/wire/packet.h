// What decoding a captured frame yields: a view of its headers as values.
//
// Invariant: every span points into the frame that was decoded and is only as
// long-lived. All numbers are in host order. Plain values: any thread, but the
// spans belong to the thread that holds the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "volley/wire/flow.h"

namespace volley::wire {

// Direction relative to the capturing host, where the link header tells it
// (Linux cooked captures do).
enum class FrameDirection : std::uint8_t { unknown, incoming, outgoing };

struct LinkInfo {
  FrameDirection direction = FrameDirection::unknown;
  std::uint32_t interface_index = 0;  // cooked v2 only, else 0
  std::uint16_t vlan_id = 0;          // outermost tag's, 0 if untagged
};

struct IpInfo {
  IpAddress source;
  IpAddress destination;
  std::uint8_t protocol = 0;         // IANA number after any IPv6 extension headers
  std::uint8_t ttl = 0;              // TTL or hop limit
  std::uint8_t traffic_class = 0;    // DSCP and ECN
  std::uint16_t identification = 0;  // IPv4 only, else 0
  std::uint16_t total_length =
      0;  // of the whole IP packet in bytes, as its header says (IPv6: 40 + payload length, at most 65535)
  std::uint16_t fragment_offset = 0;  // in bytes; a later fragment has no transport header
  bool more_fragments = false;
  bool dont_fragment = false;
};

// TCP flag bits as they stand in the header (RFC 9293 section 3.1).
namespace tcp_flag {
inline constexpr std::uint8_t kFin = 0x01;
inline constexpr std::uint8_t kSyn = 0x02;
inline constexpr std::uint8_t kRst = 0x04;
inline constexpr std::uint8_t kPsh = 0x08;
inline constexpr std::uint8_t kAck = 0x10;
inline constexpr std::uint8_t kUrg = 0x20;
inline constexpr std::uint8_t kEce = 0x40;
inline constexpr std::uint8_t kCwr = 0x80;
}  // namespace tcp_flag

struct TcpOptions {
  std::optional<std::uint16_t> mss;
  std::optional<std::uint8_t> window_scale;
  bool sack_permitted = false;
  std::optional<std::uint32_t> timestamp_value;
  std::optional<std::uint32_t> timestamp_echo;
};

struct TcpInfo {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgement = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;
  TcpOptions options;                     // empty in a quoted header that is cut short
  std::span<const std::uint8_t> payload;  // as far as captured
};

struct UdpInfo {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint16_t length = 0;  // header and payload, as the header says
  std::uint16_t checksum = 0;
  std::span<const std::uint8_t> payload;  // as far as captured
};

// ICMP (RFC 792) and ICMPv6 (RFC 4443) alike.
struct IcmpInfo {
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  std::uint16_t checksum = 0;
  std::uint16_t identifier = 0;           // echo request and reply
  std::uint16_t sequence = 0;             // echo request and reply
  std::uint32_t rest_of_header = 0;       // bytes 4 to 7; the MTU of a "too big" is in its low 16 (v4) or 32 (v6) bits
  std::span<const std::uint8_t> payload;  // echo data, or the quoted packet with its extensions
};

// The packet that an ICMP error quotes, as far as it is quoted: the transport
// headers are present once their first 8 bytes are (RFC 792).
struct QuotedPacket {
  IpInfo ip;
  // The transport header's first 8 bytes only are sure to be there; of a TCP
  // header then only ports and sequence are set (flags 0, no options).
  std::optional<TcpInfo> tcp;
  std::optional<UdpInfo> udp;
  std::optional<IcmpInfo> icmp;
};

struct DecodedPacket {
  LinkInfo link;
  IpInfo ip;
  // At most one of these; none for another protocol or a later fragment.
  std::optional<TcpInfo> tcp;
  std::optional<UdpInfo> udp;
  std::optional<IcmpInfo> icmp;
  // Set for ICMP errors whose quote could be read.
  std::optional<QuotedPacket> quoted;
};

// ICMP error messages carry a quoted packet: v4 types 3, 4, 5, 11, 12; v6
// types below 128 (RFC 4443 section 2.1).
bool is_icmp_error(const DecodedPacket& packet);

}  // namespace volley::wire

// Reads the headers of one frame. Any thread; no state.
#include "frame.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

namespace lab {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kEthernetHeader = 14;
constexpr std::size_t kVlanTag = 4;
constexpr std::size_t kIpv4Header = 20;
constexpr std::size_t kIpv6Header = 40;
constexpr std::size_t kTcpHeader = 20;
constexpr std::size_t kUdpHeader = 8;
constexpr std::size_t kIcmpHeader = 8;
constexpr std::uint16_t kEtherIpv4 = 0x0800;
constexpr std::uint16_t kEtherIpv6 = 0x86dd;
constexpr std::uint16_t kEtherVlan = 0x8100;
constexpr std::uint16_t kEtherQinq = 0x88a8;
constexpr std::uint8_t kHopByHop = 0;
constexpr std::uint8_t kIcmp = 1;
constexpr std::uint8_t kTcp = 6;
constexpr std::uint8_t kUdp = 17;
constexpr std::uint8_t kRouting = 43;
constexpr std::uint8_t kFragment = 44;
constexpr std::uint8_t kIcmpv6 = 58;
constexpr std::uint8_t kDestinationOptions = 60;
constexpr std::uint8_t kFlagSyn = 0x02;
constexpr std::uint8_t kFlagRst = 0x04;
constexpr std::uint8_t kFlagAck = 0x10;

std::uint16_t get16(Bytes bytes, std::size_t at) {
  return static_cast<std::uint16_t>(bytes[at] << 8U | bytes[at + 1]);
}

std::uint32_t get32(Bytes bytes, std::size_t at) {
  return static_cast<std::uint32_t>(get16(bytes, at)) << 16U | get16(bytes, at + 2);
}

Kind tcp_kind(std::uint8_t flags) {
  if ((flags & kFlagRst) != 0) {
    return Kind::rst;
  }
  if ((flags & kFlagSyn) != 0) {
    return (flags & kFlagAck) != 0 ? Kind::syn_ack : Kind::syn;
  }
  return Kind::tcp_other;
}

// RFC 792: 0 and 8 are echo. RFC 4443: 128 and 129 are echo; the rest of the
// informational types keep the link itself alive (RFC 4861, RFC 3810).
Kind icmp_kind(std::uint8_t protocol, std::uint8_t type) {
  constexpr std::uint8_t kFirstInformational = 128;
  if (protocol == kIcmp) {
    return type == 0 || type == 8 ? Kind::icmp_echo : Kind::icmp_error;
  }
  if (type == kFirstInformational || type == kFirstInformational + 1) {
    return Kind::icmp_echo;
  }
  return type < kFirstInformational ? Kind::icmp_error : Kind::untouched;
}

void read_transport(Bytes bytes, FrameFacts& facts) {
  if (facts.protocol == kTcp && bytes.size() >= kTcpHeader) {
    facts.tcp_flags = bytes[13];
    facts.sequence = get32(bytes, 4);
    facts.acknowledgement = get32(bytes, 8);
    facts.kind = tcp_kind(facts.tcp_flags);
    facts.has_ports = true;
  } else if (facts.protocol == kUdp && bytes.size() >= kUdpHeader) {
    facts.sequence = bytes.size() >= kUdpHeader + 4 ? get32(bytes, kUdpHeader) : 0;
    facts.kind = Kind::udp;
    facts.has_ports = true;
  } else if ((facts.protocol == kIcmp || facts.protocol == kIcmpv6) && bytes.size() >= kIcmpHeader) {
    facts.sequence = get32(bytes, 4);
    facts.kind = icmp_kind(facts.protocol, bytes[0]);
  }
  if (facts.has_ports) {
    facts.source_port = get16(bytes, 0);
    facts.destination_port = get16(bytes, 2);
  }
}

void read_ipv4(Bytes bytes, FrameFacts& facts) {
  if (bytes.size() < kIpv4Header || bytes[0] >> 4U != 4) {
    return;
  }
  const std::size_t header = static_cast<std::size_t>(bytes[0] & 0x0fU) * 4;
  const std::size_t total = get16(bytes, 2);
  if (header < kIpv4Header || total < header || bytes.size() < total) {
    return;
  }
  facts.ip_version = 4;
  facts.kind = Kind::other;
  facts.protocol = bytes[9];
  facts.ip_id = get16(bytes, 4);
  std::copy_n(bytes.begin() + 12, 4, facts.source.begin());
  std::copy_n(bytes.begin() + 16, 4, facts.destination.begin());
  constexpr std::uint16_t kMoreFragmentsOrOffset = 0x3fff;
  if ((get16(bytes, 6) & kMoreFragmentsOrOffset) == 0) {
    read_transport(bytes.subspan(header, total - header), facts);
  }
}

void read_ipv6(Bytes bytes, FrameFacts& facts) {
  if (bytes.size() < kIpv6Header || bytes[0] >> 4U != 6 || bytes.size() - kIpv6Header < get16(bytes, 4)) {
    return;
  }
  facts.ip_version = 6;
  facts.kind = Kind::other;
  std::copy_n(bytes.begin() + 8, 16, facts.source.begin());
  std::copy_n(bytes.begin() + 24, 16, facts.destination.begin());
  facts.protocol = bytes[6];
  Bytes rest = bytes.subspan(kIpv6Header, get16(bytes, 4));
  while (facts.protocol == kHopByHop || facts.protocol == kRouting || facts.protocol == kDestinationOptions) {
    if (rest.size() < 8) {
      return;
    }
    const std::size_t length = (static_cast<std::size_t>(rest[1]) + 1) * 8;
    if (rest.size() < length) {
      return;
    }
    facts.protocol = rest[0];
    rest = rest.subspan(length);
  }
  if (facts.protocol != kFragment) {
    read_transport(rest, facts);
  }
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::syn:
      return "syn";
    case Kind::syn_ack:
      return "synack";
    case Kind::rst:
      return "rst";
    case Kind::tcp_other:
      return "tcp-other";
    case Kind::udp:
      return "udp";
    case Kind::icmp_echo:
      return "echo";
    case Kind::icmp_error:
      return "icmp-error";
    case Kind::other:
      return "other";
    case Kind::untouched:
      return "untouched";
  }
  return "untouched";
}

FrameFacts read_frame(std::span<const std::uint8_t> frame) {
  FrameFacts facts;
  if (frame.size() < kEthernetHeader) {
    return facts;
  }
  std::uint16_t type = get16(frame, 12);
  Bytes rest = frame.subspan(kEthernetHeader);
  while ((type == kEtherVlan || type == kEtherQinq) && rest.size() >= kVlanTag) {
    type = get16(rest, 2);
    rest = rest.subspan(kVlanTag);
  }
  if (type == kEtherIpv4) {
    read_ipv4(rest, facts);
  } else if (type == kEtherIpv6) {
    read_ipv6(rest, facts);
  }
  return facts;
}

FrameFacts reversed(const FrameFacts& facts) {
  FrameFacts result = facts;
  std::swap(result.source, result.destination);
  std::swap(result.source_port, result.destination_port);
  return result;
}

std::string address_text(const FrameFacts& facts, const std::array<std::uint8_t, 16>& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (facts.ip_version == 0) {
    return {};
  }
  inet_ntop(facts.ip_version == 4 ? AF_INET : AF_INET6, address.data(), text.data(), text.size());
  return text.data();
}

}  // namespace lab

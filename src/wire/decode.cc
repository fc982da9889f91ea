// Decodes captured frames: picks the reader of each header in turn.
//
// Pure, without allocation; never reads outside the span. Any thread.
#include "volley/wire/decode.h"

#include <optional>

#include "volley/wire/ethernet.h"
#include "volley/wire/icmp.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"
#include "volley/wire/linux_cooked.h"
#include "volley/wire/loopback_link.h"
#include "volley/wire/tcp.h"
#include "volley/wire/udp.h"

namespace volley::wire {

namespace {

DecodeStatus read_ip(std::span<const std::uint8_t> bytes, PacketContext context, IpInfo& ip, IpPayload& payload) {
  if (bytes.empty()) {
    return DecodeStatus::truncated_ip;
  }
  switch (bytes[0] >> 4U) {
    case 4:
      return read_ipv4(bytes, context, ip, payload);
    case 6:
      return read_ipv6(bytes, context, ip, payload);
    default:
      return DecodeStatus::bad_ip_header;
  }
}

// The ICMP of the packet's own family; the other's number is just another transport.
std::optional<IpProtocol> known_protocol(const IpInfo& ip) {
  switch (static_cast<IpProtocol>(ip.protocol)) {
    case IpProtocol::tcp:
    case IpProtocol::udp:
      return static_cast<IpProtocol>(ip.protocol);
    case IpProtocol::icmp:
      return ip.source.is_v6() ? std::nullopt : std::optional(IpProtocol::icmp);
    case IpProtocol::icmpv6:
      return ip.source.is_v6() ? std::optional(IpProtocol::icmpv6) : std::nullopt;
  }
  return std::nullopt;
}

DecodeStatus decode_quoted_transport(const IpPayload& payload, QuotedPacket& quoted) {
  const auto protocol = known_protocol(quoted.ip);
  if (!protocol) {
    return DecodeStatus::ok;
  }
  switch (*protocol) {
    case IpProtocol::tcp:
      return read_quoted_tcp(payload, quoted.tcp.emplace());
    case IpProtocol::udp:
      return read_quoted_udp(payload, quoted.udp.emplace());
    case IpProtocol::icmp:
    case IpProtocol::icmpv6:
      return read_icmp(payload, *protocol, quoted.icmp.emplace());
  }
  return DecodeStatus::ok;
}

// A quote owes its IP header and 8 transport bytes (RFC 792, RFC 4443 section 2.4 c);
// a quoted later fragment has no transport header to owe.
DecodeStatus decode_quote(std::span<const std::uint8_t> bytes, std::optional<QuotedPacket>& quoted) {
  QuotedPacket packet;
  IpPayload payload;
  const DecodeStatus ip_status = read_ip(bytes, PacketContext::quoted, packet.ip, payload);
  if (ip_status == DecodeStatus::later_fragment) {
    quoted = packet;
    return DecodeStatus::ok;
  }
  if (ip_status != DecodeStatus::ok) {
    return DecodeStatus::bad_quote;
  }
  const DecodeStatus status = decode_quoted_transport(payload, packet);
  if (status != DecodeStatus::ok) {
    packet.tcp.reset();
    packet.udp.reset();
    packet.icmp.reset();
  }
  quoted = packet;
  return status == DecodeStatus::ok ? DecodeStatus::ok : DecodeStatus::bad_quote;
}

DecodeStatus decode_icmp(const IpPayload& payload, IpProtocol protocol, DecodedPacket& packet) {
  IcmpInfo icmp;
  const DecodeStatus status = read_icmp(payload, protocol, icmp);
  if (status != DecodeStatus::ok) {
    return status;
  }
  packet.icmp = icmp;
  // A first fragment of an error still holds its quote's beginning.
  if (!is_icmp_error_type(protocol, icmp.type)) {
    return DecodeStatus::ok;
  }
  const IcmpQuote quote = split_icmp_quote(payload, protocol, icmp);
  const DecodeStatus quote_status = decode_quote(quote.packet, packet.quoted);
  return quote.length_is_possible || packet.ip.more_fragments ? quote_status : DecodeStatus::bad_quote;
}

DecodeStatus decode_transport(const IpPayload& payload, DecodedPacket& packet) {
  const auto protocol = known_protocol(packet.ip);
  if (!protocol) {
    return DecodeStatus::other_transport;
  }
  switch (*protocol) {
    case IpProtocol::tcp: {
      const DecodeStatus status = read_tcp(payload, packet.tcp.emplace());
      if (status != DecodeStatus::ok) {
        packet.tcp.reset();
      }
      return status;
    }
    case IpProtocol::udp: {
      const DecodeStatus status = read_udp(payload, packet.ip, packet.udp.emplace());
      if (status != DecodeStatus::ok) {
        packet.udp.reset();
      }
      return status;
    }
    case IpProtocol::icmp:
    case IpProtocol::icmpv6:
      return decode_icmp(payload, *protocol, packet);
  }
  return DecodeStatus::other_transport;
}

void clear(DecodedPacket& packet) {
  packet.link = {};
  packet.ip = {};
  packet.tcp.reset();
  packet.udp.reset();
  packet.icmp.reset();
  packet.quoted.reset();
}

DecodeStatus decode_network(std::span<const std::uint8_t> bytes, DecodedPacket& packet) {
  IpPayload payload;
  const DecodeStatus status = read_ip(bytes, PacketContext::whole, packet.ip, payload);
  return status == DecodeStatus::ok ? decode_transport(payload, packet) : status;
}

}  // namespace

std::optional<LinkPayload> read_link(LinkType link_type, std::span<const std::uint8_t> frame, LinkInfo& link) {
  switch (link_type) {
    case LinkType::ethernet:
      return read_ethernet(frame, link);
    case LinkType::linux_cooked_v1:
      return read_cooked_v1(frame, link);
    case LinkType::linux_cooked_v2:
      return read_cooked_v2(frame, link);
    case LinkType::null_loopback:
    case LinkType::loop:
      return read_loopback(frame);
    case LinkType::raw_ip:
      return LinkPayload{!frame.empty() && frame[0] >> 4U == 6 ? kEthertypeIpv6 : kEthertypeIpv4, frame};
  }
  return std::nullopt;
}

DecodeStatus decode_ip(std::span<const std::uint8_t> bytes, DecodedPacket& packet) {
  clear(packet);
  return decode_network(bytes, packet);
}

DecodeStatus decode(LinkType link_type, std::span<const std::uint8_t> frame, DecodedPacket& packet) {
  clear(packet);
  const auto payload = read_link(link_type, frame, packet.link);
  if (!payload) {
    return DecodeStatus::truncated_link;
  }
  if (payload->ethertype != kEthertypeIpv4 && payload->ethertype != kEthertypeIpv6) {
    return DecodeStatus::not_ip;
  }
  // The ethertype and the version must agree.
  const unsigned version = payload->ethertype == kEthertypeIpv4 ? 4 : 6;
  if (!payload->bytes.empty() && payload->bytes[0] >> 4U != version) {
    return DecodeStatus::bad_ip_header;
  }
  return decode_network(payload->bytes, packet);
}

}  // namespace volley::wire

// Builds whole probe packets with libnet: IP header, transport header, payload.
//
// Opens no socket (LIBNET_NONE). Every packet that leaves begins as one of
// these; per probe only the template's changing fields are patched. Values are
// in host order. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/wire/address.h"

struct libnet_context;

namespace volley::probe {

struct IpFields {
  wire::IpAddress source;
  wire::IpAddress destination;
  std::uint8_t ttl = 0;
  std::uint8_t dscp = 0;
  bool dont_fragment = false;        // IPv4 only
  std::uint16_t identification = 0;  // IPv4 only
};

struct TcpFields {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  std::uint32_t sequence = 0;
  std::uint32_t acknowledgement = 0;
  std::uint8_t flags = 0;
  std::uint16_t window = 0;
  std::span<const std::uint8_t> options;  // a multiple of 4 bytes
};

struct UdpFields {
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
};

struct EchoFields {
  std::uint16_t identifier = 0;
  std::uint16_t sequence = 0;
};

// The IP header's fields as the plan has them, with this identification.
IpFields ip_fields(const ProbePlan& plan, const Destination& destination, std::uint16_t identification);

class PacketBuilder {
 public:
  // Throws std::runtime_error ("libnet: ...").
  PacketBuilder();
  ~PacketBuilder();
  PacketBuilder(const PacketBuilder&) = delete;
  PacketBuilder& operator=(const PacketBuilder&) = delete;

  // Each with all checksums filled in; a UDP checksum is never 0 (RFC 768).
  // They throw std::runtime_error on what libnet refuses.
  std::vector<std::uint8_t> tcp(const IpFields& ip, const TcpFields& tcp, std::span<const std::uint8_t> payload);
  std::vector<std::uint8_t> udp(const IpFields& ip, const UdpFields& udp, std::span<const std::uint8_t> payload);
  // An echo request of ICMP or ICMPv6.
  std::vector<std::uint8_t> echo(const IpFields& ip, const EchoFields& echo, std::span<const std::uint8_t> payload);

 private:
  void add_ip(const IpFields& ip, std::size_t transport_bytes, std::uint8_t protocol);
  std::vector<std::uint8_t> take();

  struct Close {
    void operator()(libnet_context* context) const;
  };
  std::unique_ptr<libnet_context, Close> context_;
};

}  // namespace volley::probe

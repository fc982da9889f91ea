// The packets that libnet builds for us. One thread.
#include "volley/probe/packet_builder.h"

#include <libnet.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "volley/wire/byte_order.h"
#include "volley/wire/icmp.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"
#include "volley/wire/tcp.h"
#include "volley/wire/udp.h"

namespace volley::probe {

namespace {

constexpr std::uint16_t kFillIn = 0;  // libnet computes a checksum that is given as 0

libnet_in6_addr to_libnet(const wire::IpAddress& address) {
  libnet_in6_addr out{};
  std::copy(address.octets.begin(), address.octets.end(), out.__u6_addr.__u6_addr8);
  return out;
}

// libnet takes IPv4 addresses as they lie in memory.
std::uint32_t to_libnet_v4(const wire::IpAddress& address) {
  std::uint32_t out = 0;
  const auto octets = address.bytes();
  std::copy(octets.begin(), octets.end(), reinterpret_cast<std::uint8_t*>(&out));
  return out;
}

const std::uint8_t* bytes_or_null(std::span<const std::uint8_t> bytes) {
  return bytes.empty() ? nullptr : bytes.data();
}

std::uint32_t size32(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(bytes.size());
}

// A computed checksum of 0 is sent as all ones: 0 would say that there is none.
void never_zero_checksum(std::span<std::uint8_t> datagram) {
  if (wire::load_be16(datagram, wire::kUdpChecksumOffset) == 0) {
    wire::store_be16(datagram, wire::kUdpChecksumOffset, 0xffff);
  }
}

}  // namespace

IpFields ip_fields(const ProbePlan& plan, const Destination& destination, std::uint16_t identification) {
  return {.source = destination.source,
          .destination = destination.address,
          .ttl = plan.ttl,
          .dscp = plan.dscp,
          .dont_fragment = plan.dont_fragment,
          .identification = identification};
}

void PacketBuilder::Close::operator()(libnet_context* context) const {
  libnet_destroy(context);
}

PacketBuilder::PacketBuilder() {
  std::array<char, LIBNET_ERRBUF_SIZE> error{};
  context_.reset(libnet_init(LIBNET_NONE, nullptr, error.data()));
  if (!context_) {
    throw std::runtime_error(std::string("libnet: ") + error.data());
  }
}

PacketBuilder::~PacketBuilder() = default;

void PacketBuilder::add_ip(const IpFields& ip, std::size_t transport_bytes, std::uint8_t protocol) {
  const auto traffic_class = static_cast<std::uint8_t>(ip.dscp << 2U);
  libnet_ptag_t tag = 0;
  if (ip.destination.is_v6()) {
    tag = libnet_build_ipv6(traffic_class, 0, static_cast<std::uint16_t>(transport_bytes), protocol, ip.ttl,
                            to_libnet(ip.source), to_libnet(ip.destination), nullptr, 0, context_.get(), 0);
  } else {
    const auto total = static_cast<std::uint16_t>(wire::kIpv4HeaderBytes + transport_bytes);
    tag = libnet_build_ipv4(total, traffic_class, ip.identification,
                            ip.dont_fragment ? wire::kIpv4DontFragment : std::uint16_t{0}, ip.ttl, protocol, kFillIn,
                            to_libnet_v4(ip.source), to_libnet_v4(ip.destination), nullptr, 0, context_.get(), 0);
  }
  if (tag == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
}

std::vector<std::uint8_t> PacketBuilder::take() {
  std::uint8_t* packet = nullptr;
  std::uint32_t size = 0;
  // libnet_adv_cull_packet wants an open link; this is what it calls.
  if (libnet_pblock_coalesce(context_.get(), &packet, &size) == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
  std::vector<std::uint8_t> bytes(packet, packet + size);
  libnet_adv_free_packet(context_.get(), packet);
  libnet_clear_packet(context_.get());
  return bytes;
}

std::vector<std::uint8_t> PacketBuilder::tcp(const IpFields& ip, const TcpFields& tcp,
                                             std::span<const std::uint8_t> payload) {
  libnet_clear_packet(context_.get());
  if (!tcp.options.empty() &&
      libnet_build_tcp_options(tcp.options.data(), size32(tcp.options), context_.get(), 0) == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
  const std::size_t bytes = wire::kTcpHeaderBytes + tcp.options.size() + payload.size();
  if (libnet_build_tcp(tcp.source_port, tcp.destination_port, tcp.sequence, tcp.acknowledgement, tcp.flags, tcp.window,
                       kFillIn, 0, static_cast<std::uint16_t>(bytes), bytes_or_null(payload), size32(payload),
                       context_.get(), 0) == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
  add_ip(ip, bytes, static_cast<std::uint8_t>(wire::IpProtocol::tcp));
  return take();
}

std::vector<std::uint8_t> PacketBuilder::udp(const IpFields& ip, const UdpFields& udp,
                                             std::span<const std::uint8_t> payload) {
  libnet_clear_packet(context_.get());
  const std::size_t bytes = wire::kUdpHeaderBytes + payload.size();
  if (libnet_build_udp(udp.source_port, udp.destination_port, static_cast<std::uint16_t>(bytes), kFillIn,
                       bytes_or_null(payload), size32(payload), context_.get(), 0) == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
  add_ip(ip, bytes, static_cast<std::uint8_t>(wire::IpProtocol::udp));
  std::vector<std::uint8_t> packet = take();
  never_zero_checksum(std::span(packet).last(bytes));
  return packet;
}

std::vector<std::uint8_t> PacketBuilder::echo(const IpFields& ip, const EchoFields& echo,
                                              std::span<const std::uint8_t> payload) {
  libnet_clear_packet(context_.get());
  const std::size_t bytes = wire::kIcmpHeaderBytes + payload.size();
  libnet_ptag_t tag = 0;
  wire::IpProtocol protocol = wire::IpProtocol::icmp;
  if (ip.destination.is_v6()) {
    protocol = wire::IpProtocol::icmpv6;
    std::vector<std::uint8_t> copy(payload.begin(), payload.end());  // libnet wants it writable here
    tag = libnet_build_icmpv6_echo(wire::kIcmpv6EchoRequest, 0, kFillIn, echo.identifier, echo.sequence,
                                   copy.empty() ? nullptr : copy.data(), size32(payload), context_.get(), 0);
  } else {
    tag = libnet_build_icmpv4_echo(wire::kIcmpEchoRequest, 0, kFillIn, echo.identifier, echo.sequence,
                                   bytes_or_null(payload), size32(payload), context_.get(), 0);
  }
  if (tag == -1) {
    throw std::runtime_error(std::string("libnet: ") + libnet_geterror(context_.get()));
  }
  add_ip(ip, bytes, static_cast<std::uint8_t>(protocol));
  return take();
}

}  // namespace volley::probe

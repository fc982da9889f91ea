// Sizes of probes. Pure; any thread.
#include "volley/probe/packet_size.h"

#include "volley/probe/payload.h"
#include "volley/probe/tcp_options.h"
#include "volley/wire/icmp.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"
#include "volley/wire/tcp.h"
#include "volley/wire/udp.h"

namespace volley::probe {

namespace {

std::size_t udp_payload_bytes(const PlanRequest& request) {
  switch (request.udp_payload) {
    case UdpPayload::sized:
    case UdpPayload::echo:
      return request.payload_bytes_given ? request.payload_bytes : kDefaultUdpPayloadBytes;
    case UdpPayload::dns:
      return kDnsQueryBytes;
    case UdpPayload::ntp:
      return kNtpRequestBytes;
    case UdpPayload::custom:
      return request.custom_payload.size();
  }
  return 0;
}

}  // namespace

std::size_t payload_bytes(const PlanRequest& request) {
  switch (request.protocol) {
    case Protocol::tcp:
      return request.payload_bytes_given ? request.payload_bytes : 0;
    case Protocol::udp:
      return udp_payload_bytes(request);
    case Protocol::icmp:
      return request.payload_bytes_given ? request.payload_bytes : kDefaultIcmpPayloadBytes;
  }
  return 0;
}

std::size_t header_bytes(Protocol protocol, wire::IpFamily family, std::uint8_t tcp_flags) {
  const std::size_t ip = family == wire::IpFamily::v4 ? wire::kIpv4HeaderBytes : wire::kIpv6HeaderBytes;
  switch (protocol) {
    case Protocol::tcp:
      return ip + wire::kTcpHeaderBytes + tcp_option_bytes(tcp_flags);
    case Protocol::udp:
      return ip + wire::kUdpHeaderBytes;
    case Protocol::icmp:
      return ip + wire::kIcmpHeaderBytes;
  }
  return ip;
}

}  // namespace volley::probe

// A flow: the addresses, ports and protocol of packets that go one way.
//
// A plain value: safe in any thread. Everything is in host order; ports are
// zero where the protocol has none.
#pragma once

#include <compare>
#include <cstdint>

#include "volley/wire/address.h"

namespace volley::wire {

// IANA protocol numbers of the protocols that volley sends or reads.
enum class IpProtocol : std::uint8_t { icmp = 1, tcp = 6, udp = 17, icmpv6 = 58 };

struct Flow {
  IpAddress source;
  IpAddress destination;
  std::uint16_t source_port = 0;
  std::uint16_t destination_port = 0;
  IpProtocol protocol = IpProtocol::tcp;

  friend auto operator<=>(const Flow&, const Flow&) = default;
};

constexpr Flow reversed(const Flow& flow) {
  return {flow.destination, flow.source, flow.destination_port, flow.source_port, flow.protocol};
}

}  // namespace volley::wire

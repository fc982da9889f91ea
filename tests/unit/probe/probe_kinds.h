// Every kind of probe that the protocols can build, and random fields for them.
//
// Shared by the tests of packets and of recognition.
#pragma once

#include <vector>

#include "sample_plan.h"
#include "volley/probe/generator.h"
#include "volley/probe/plan.h"
#include "volley/probe/protocol.h"

namespace volley::probe::sample {

inline Destination to_family(Protocol protocol, bool is_v6) {
  const std::uint16_t port = protocol == Protocol::icmp ? 0 : 443;
  return is_v6 ? sample::destination("fd00::7", port, "fd00::9") : sample::destination("10.0.3.7", port);
}

inline ProbeFields random_fields(Generator& generator) {
  ProbeFields fields;
  fields.token = static_cast<std::uint32_t>(generator.next());
  fields.source_port = static_cast<std::uint16_t>(generator.next());
  fields.echo_identifier = static_cast<std::uint16_t>(generator.next());
  fields.echo_sequence = static_cast<std::uint16_t>(generator.next());
  fields.timestamp = static_cast<std::uint32_t>(generator.next());
  // Words of all zeros and all ones are where checksums go wrong.
  switch (generator.below(6)) {
    case 0:
      fields.token &= 0xffff0000U;
      break;
    case 1:
      fields.token |= 0xffffU;
      break;
    case 2:
      fields = {};
      break;
    case 3:
      fields = {0xffffffff, 0xffff, 0xffff, 0xffff, 0xffffffff};
      break;
    default:
      break;
  }
  return fields;
}

inline std::vector<PlanRequest> all_kinds() {
  std::vector<PlanRequest> kinds;
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
    for (const int size : {0, 1, 2, 3, 4, 5, 7, 16, 57, 129, 1400}) {
      PlanRequest request = sample::request(protocol);
      request.payload_bytes_given = true;
      request.payload_bytes = static_cast<std::uint16_t>(size);
      request.dscp = 10;
      request.dont_fragment = size % 2 == 1;
      kinds.push_back(request);
    }
  }
  PlanRequest ack = sample::request();
  for (const int flags : {0x10, 0x12, 0x01, 0x18, 0x00, 0xc2, 0x29}) {
    ack.tcp_flags = static_cast<std::uint8_t>(flags);
    kinds.push_back(ack);
  }
  PlanRequest udp = sample::request(Protocol::udp);
  udp.custom_payload = {1, 2, 3};
  for (const UdpPayload kind : {UdpPayload::dns, UdpPayload::ntp, UdpPayload::echo, UdpPayload::custom}) {
    udp.udp_payload = kind;
    kinds.push_back(udp);
  }
  return kinds;
}

}  // namespace volley::probe::sample

// Reads ICMP errors about probes. Pure; any thread.
#include "volley/probe/icmp_error.h"

#include "volley/wire/icmp.h"

namespace volley::probe {

bool is_delivery_error(const wire::DecodedPacket& packet) {
  if (!packet.icmp || !packet.quoted) {
    return false;
  }
  const std::uint8_t type = packet.icmp->type;
  if (packet.ip.source.is_v6()) {
    return type == wire::kIcmpv6Unreachable || type == wire::kIcmpv6PacketTooBig || type == wire::kIcmpv6TimeExceeded ||
           type == wire::kIcmpv6ParameterProblem;
  }
  return type == wire::kIcmpUnreachable || type == wire::kIcmpTimeExceeded || type == wire::kIcmpParameterProblem;
}

bool is_port_unreachable_from_target(const wire::DecodedPacket& packet) {
  const auto& icmp = *packet.icmp;
  const bool is_port = packet.ip.source.is_v6()
                           ? icmp.type == wire::kIcmpv6Unreachable && icmp.code == wire::kIcmpv6PortUnreachableCode
                           : icmp.type == wire::kIcmpUnreachable && icmp.code == wire::kIcmpPortUnreachableCode;
  return is_port && packet.ip.source == packet.quoted->ip.destination;
}

Sighting error_sighting(const wire::DecodedPacket& packet) {
  Sighting sighting;
  sighting.kind = SightingKind::error;
  sighting.icmp_type = packet.icmp->type;
  sighting.icmp_code = packet.icmp->code;
  return sighting;
}

TokenEvidence with_identification(const TokenEvidence& payload, const wire::IpInfo& ip) {
  if (payload.is_refuted || payload.mask == 0xffffffff || ip.source.is_v6()) {
    return payload;
  }
  // The id 1 stands for a low half of 0 too (probe_id.h).
  const std::uint32_t mask = ip.identification == 1 ? 0xfffeU : 0xffffU;
  TokenEvidence evidence = payload;
  evidence.value = (payload.value & payload.mask & ~mask) | (ip.identification & mask);
  evidence.mask = payload.mask | mask;
  return evidence;
}

}  // namespace volley::probe

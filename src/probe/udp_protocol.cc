// UDP probes: sized, echo, DNS, NTP or custom payloads (payload.h), answered
// by UDP or by "port unreachable" from the target. Constant; any thread.
#include "volley/probe/capture_filter.h"
#include "volley/probe/icmp_error.h"
#include "volley/probe/packet_patch.h"
#include "volley/probe/payload.h"
#include "volley/probe/probe_id.h"
#include "volley/probe/protocol.h"
#include "volley/wire/udp.h"

namespace volley::probe {

namespace {

std::vector<std::uint8_t> build(PacketBuilder& builder, const ProbePlan& plan, const Destination& to,
                                const ProbeFields& fields) {
  std::vector<std::uint8_t> payload = make_payload(plan.udp_payload, plan.payload_bytes, plan.custom_payload);
  put_token(plan.udp_payload, payload, fields.token);
  return builder.udp(ip_fields(plan, to, ip_identification(fields.token)), {fields.source_port, to.port}, payload);
}

void patch(const ProbePlan& plan, const ProbeFields& fields, std::span<std::uint8_t> packet) {
  patch_identification(packet, ip_identification(fields.token));
  const std::size_t udp = transport_offset(packet);
  const std::size_t checksum = udp + wire::kUdpChecksumOffset;
  patch_word(packet, udp + wire::kUdpSourcePortOffset, checksum, fields.source_port);

  const std::span<std::uint8_t> payload = packet.subspan(udp + wire::kUdpHeaderBytes);
  const PatchedRange range = patched_range(plan.udp_payload, payload.size());
  if (range.bytes != 0) {
    const std::uint64_t before = range_sum(payload, range.offset, range.bytes);
    put_token(plan.udp_payload, payload, fields.token);
    patch_checksum(packet, checksum, before, range_sum(payload, range.offset, range.bytes));
  }
  if (wire::load_be16(packet, checksum) == 0) {
    wire::store_be16(packet, checksum, 0xffff);  // 0 would say that there is none (RFC 768, RFC 8200 section 8.1)
  }
}

FlowKey key(std::uint32_t destination, const ProbeFields& fields) {
  return {destination, fields.source_port};
}

Sighting arriving(const ProbePlan& plan, const wire::UdpInfo& udp) {
  Sighting sighting;
  sighting.kind = SightingKind::reply;
  sighting.reply = ReplyKind::udp_reply;
  const std::size_t declared = udp.length > wire::kUdpHeaderBytes ? udp.length - wire::kUdpHeaderBytes : 0;
  sighting.evidence = token_in_reply(plan.udp_payload, udp.payload, declared, plan.payload_bytes);
  return sighting;
}

Sighting quoting(const ProbePlan& plan, const wire::DecodedPacket& packet) {
  const wire::QuotedPacket& quoted = *packet.quoted;
  Sighting sighting = error_sighting(packet);
  sighting.evidence =
      with_identification(token_in_probe(plan.udp_payload, quoted.udp->payload, plan.payload_bytes), quoted.ip);
  if (is_port_unreachable_from_target(packet)) {
    sighting.kind = SightingKind::reply;
    sighting.reply = ReplyKind::port_unreachable;
  }
  return sighting;
}

Sighting recognise(const ProbePlan& plan, const Endpoints& endpoints, const wire::DecodedPacket& packet) {
  Sighting sighting;
  std::optional<std::uint32_t> destination;
  std::uint16_t local_port = 0;
  if (packet.udp) {
    const wire::UdpInfo& udp = *packet.udp;
    local_port = udp.source_port;
    if (endpoints.owns_port(local_port)) {
      destination = endpoints.find(packet.ip.source, packet.ip.destination, udp.destination_port);
    }
    if (destination) {
      sighting.kind = SightingKind::probe;
      sighting.evidence =
          with_identification(token_in_probe(plan.udp_payload, udp.payload, plan.payload_bytes), packet.ip);
    } else if (endpoints.owns_port(udp.destination_port)) {
      local_port = udp.destination_port;
      destination = endpoints.find(packet.ip.destination, packet.ip.source, udp.source_port);
      sighting = arriving(plan, udp);
    }
  } else if (is_delivery_error(packet) && packet.quoted->udp) {
    const wire::QuotedPacket& quoted = *packet.quoted;
    local_port = quoted.udp->source_port;
    if (endpoints.owns_port(local_port)) {
      destination = endpoints.find(quoted.ip.source, quoted.ip.destination, quoted.udp->destination_port);
    }
    sighting = quoting(plan, packet);
  }
  if (!destination) {
    return {};
  }
  sighting.key = {*destination, local_port};
  return sighting;
}

CaptureFilters filters(const ProbePlan& plan) {
  const std::string departures = all_of({"udp", source_hosts(plan, "src"), target_hosts(plan, "dst"),
                                         target_ports(plan, "dst"), source_ports(plan, "src")});
  const std::string answers = all_of({"udp", target_hosts(plan, "src"), source_hosts(plan, "dst"),
                                      target_ports(plan, "src"), source_ports(plan, "dst")});
  return {departures, any_of({answers, icmp_errors(plan)})};
}

}  // namespace

const ProtocolRow& udp_row() {
  static constexpr ProtocolRow kRow = {Protocol::udp, "udp", build, patch, key, recognise, filters};
  return kRow;
}

}  // namespace volley::probe

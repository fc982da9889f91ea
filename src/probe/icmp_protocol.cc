// ICMP and ICMPv6 echo probes. Id and sequence count the probes of a
// destination; the payload begins with the probe id. Constant; any thread.
#include "volley/probe/capture_filter.h"
#include "volley/probe/icmp_error.h"
#include "volley/probe/packet_patch.h"
#include "volley/probe/payload.h"
#include "volley/probe/probe_id.h"
#include "volley/probe/protocol.h"
#include "volley/wire/icmp.h"

namespace volley::probe {

namespace {

// The payload is laid out as a sized UDP payload is.
constexpr UdpPayload kLayout = UdpPayload::sized;

std::vector<std::uint8_t> build(PacketBuilder& builder, const ProbePlan& plan, const Destination& to,
                                const ProbeFields& fields) {
  std::vector<std::uint8_t> payload = make_payload(kLayout, plan.payload_bytes, {});
  put_token(kLayout, payload, fields.token);
  return builder.echo(ip_fields(plan, to, ip_identification(fields.token)),
                      {fields.echo_identifier, fields.echo_sequence}, payload);
}

void patch(const ProbePlan& /*plan*/, const ProbeFields& fields, std::span<std::uint8_t> packet) {
  patch_identification(packet, ip_identification(fields.token));
  const std::size_t icmp = transport_offset(packet);
  const std::size_t checksum = icmp + wire::kIcmpChecksumOffset;
  patch_word(packet, icmp + wire::kIcmpIdentifierOffset, checksum, fields.echo_identifier);
  patch_word(packet, icmp + wire::kIcmpSequenceOffset, checksum, fields.echo_sequence);

  const std::span<std::uint8_t> payload = packet.subspan(icmp + wire::kIcmpHeaderBytes);
  const PatchedRange range = patched_range(kLayout, payload.size());
  if (range.bytes != 0) {
    const std::uint64_t before = range_sum(payload, range.offset, range.bytes);
    put_token(kLayout, payload, fields.token);
    patch_checksum(packet, checksum, before, range_sum(payload, range.offset, range.bytes));
  }
}

FlowKey key(std::uint32_t destination, const ProbeFields& fields) {
  return {destination, (std::uint32_t{fields.echo_identifier} << 16U) | fields.echo_sequence};
}

std::uint32_t local_of(const wire::IcmpInfo& icmp) {
  return (std::uint32_t{icmp.identifier} << 16U) | icmp.sequence;
}

bool is_echo(const wire::DecodedPacket& packet, std::uint8_t v4_type, std::uint8_t v6_type) {
  return packet.icmp->type == (packet.ip.source.is_v6() ? v6_type : v4_type);
}

Sighting recognise(const ProbePlan& plan, const Endpoints& endpoints, const wire::DecodedPacket& packet) {
  if (!packet.icmp) {
    return {};
  }
  Sighting sighting;
  std::optional<std::uint32_t> destination;
  if (is_echo(packet, wire::kIcmpEchoRequest, wire::kIcmpv6EchoRequest)) {
    destination = endpoints.find(packet.ip.source, packet.ip.destination, 0);
    sighting.kind = SightingKind::probe;
    sighting.evidence =
        with_identification(token_in_probe(kLayout, packet.icmp->payload, plan.payload_bytes), packet.ip);
  } else if (is_echo(packet, wire::kIcmpEchoReply, wire::kIcmpv6EchoReply)) {
    destination = endpoints.find(packet.ip.destination, packet.ip.source, 0);
    sighting.kind = SightingKind::reply;
    sighting.reply = ReplyKind::echo_reply;
    sighting.evidence = token_in_probe(kLayout, packet.icmp->payload, plan.payload_bytes);
  } else if (is_delivery_error(packet) && packet.quoted->icmp) {
    const wire::QuotedPacket& quoted = *packet.quoted;
    destination = endpoints.find(quoted.ip.source, quoted.ip.destination, 0);
    sighting = error_sighting(packet);
    sighting.evidence =
        with_identification(token_in_probe(kLayout, quoted.icmp->payload, plan.payload_bytes), quoted.ip);
    if (destination) {
      sighting.key = {*destination, local_of(*quoted.icmp)};
      return sighting;
    }
  }
  if (!destination) {
    return {};
  }
  sighting.key = {*destination, local_of(*packet.icmp)};
  return sighting;
}

// Echo requests or replies of both families, between the given ends.
std::string echoes(const ProbePlan& plan, std::uint8_t v4_type, std::uint8_t v6_type,
                   const std::vector<std::string>& ends) {
  std::vector<std::string> types;
  if (has_family(plan, wire::IpFamily::v4)) {
    types.push_back("icmp[0] = " + std::to_string(v4_type));
  }
  if (has_family(plan, wire::IpFamily::v6)) {
    types.push_back("icmp6 and ip6[40] = " + std::to_string(v6_type));
  }
  std::vector<std::string> clauses = {any_of(types)};
  clauses.insert(clauses.end(), ends.begin(), ends.end());
  return all_of(clauses);
}

CaptureFilters filters(const ProbePlan& plan) {
  return {echoes(plan, wire::kIcmpEchoRequest, wire::kIcmpv6EchoRequest,
                 {source_hosts(plan, "src"), target_hosts(plan, "dst")}),
          any_of({echoes(plan, wire::kIcmpEchoReply, wire::kIcmpv6EchoReply,
                         {target_hosts(plan, "src"), source_hosts(plan, "dst")}),
                  icmp_errors(plan)})};
}

}  // namespace

const ProtocolRow& icmp_row() {
  static constexpr ProtocolRow kRow = {Protocol::icmp, "icmp", build, patch, key, recognise, filters};
  return kRow;
}

}  // namespace volley::probe

// TCP probes: SYNs with a usual client's options, or any other flags. The probe
// id is the sequence number, and with ACK set the acknowledgement number too.
// Constant; any thread.
#include <utility>

#include "volley/probe/capture_filter.h"
#include "volley/probe/icmp_error.h"
#include "volley/probe/packet_patch.h"
#include "volley/probe/payload.h"
#include "volley/probe/probe_id.h"
#include "volley/probe/protocol.h"
#include "volley/probe/tcp_options.h"
#include "volley/wire/tcp.h"

namespace volley::probe {

namespace {

using wire::tcp_flag::kAck;
using wire::tcp_flag::kFin;
using wire::tcp_flag::kRst;
using wire::tcp_flag::kSyn;

constexpr std::uint16_t kWindow = 64240;  // what Linux offers first on Ethernet
// Flags that say what a segment is; the others (PSH, URG, ECN) decorate it.
constexpr std::uint8_t kKindFlags = kSyn | kAck | kRst | kFin;

bool has(std::uint8_t flags, std::uint8_t flag) {
  return (flags & flag) != 0;
}

std::vector<std::uint8_t> build(PacketBuilder& builder, const ProbePlan& plan, const Destination& to,
                                const ProbeFields& fields) {
  std::array<std::uint8_t, kSynOptionBytes> options{};
  TcpFields tcp{.source_port = fields.source_port,
                .destination_port = to.port,
                .sequence = fields.token,
                .acknowledgement = has(plan.tcp_flags, kAck) ? fields.token : 0,
                .flags = plan.tcp_flags,
                .window = kWindow,
                .options = {}};
  if (has(plan.tcp_flags, kSyn)) {
    options = syn_options(segment_size(to.mtu_bytes, to.address.family), fields.timestamp);
    tcp.options = options;
  }
  const std::vector<std::uint8_t> payload = make_payload(UdpPayload::sized, plan.payload_bytes, {});
  return builder.tcp(ip_fields(plan, to, ip_identification(fields.token)), tcp, payload);
}

void patch(const ProbePlan& plan, const ProbeFields& fields, std::span<std::uint8_t> packet) {
  patch_identification(packet, ip_identification(fields.token));
  const std::size_t tcp = transport_offset(packet);
  const std::size_t checksum = tcp + wire::kTcpChecksumOffset;
  patch_word(packet, tcp + wire::kTcpSourcePortOffset, checksum, fields.source_port);
  patch_double_word(packet, tcp + wire::kTcpSequenceOffset, checksum, fields.token);
  if (has(plan.tcp_flags, kAck)) {
    patch_double_word(packet, tcp + wire::kTcpAcknowledgementOffset, checksum, fields.token);
  }
  if (has(plan.tcp_flags, kSyn)) {
    patch_double_word(packet, tcp + wire::kTcpOptionsOffset + kSynTimestampOffset, checksum, fields.timestamp);
  }
}

FlowKey key(std::uint32_t destination, const ProbeFields& fields) {
  return {destination, fields.source_port};
}

// Sequence numbers that the probe takes: SYN and FIN count one each (RFC 9293 section 3.4).
std::uint32_t sequence_length(const ProbePlan& plan) {
  return plan.payload_bytes + (has(plan.tcp_flags, kSyn) ? 1U : 0U) + (has(plan.tcp_flags, kFin) ? 1U : 0U);
}

// An answer acknowledges the probe: its SYN or FIN at least, all of it at most.
TokenEvidence acknowledged(const ProbePlan& plan, std::uint32_t acknowledgement) {
  const std::uint32_t length = sequence_length(plan);
  const std::uint32_t least = has(plan.tcp_flags, kSyn) || has(plan.tcp_flags, kFin) ? 1 : 0;
  return {.value = acknowledgement - least, .slack = length - least};
}

Sighting departing(const ProbePlan& plan, const wire::TcpInfo& tcp) {
  Sighting sighting;
  if (has(tcp.flags, kRst)) {
    // Our kernel resets what it didn't ask for, with the number that was acknowledged.
    sighting.kind = SightingKind::reset;
    sighting.evidence = acknowledged(plan, tcp.sequence);
  } else if (tcp.flags == plan.tcp_flags) {
    sighting.kind = SightingKind::probe;
    sighting.evidence = TokenEvidence::exact(tcp.sequence);
  }
  return sighting;
}

Sighting arriving(const ProbePlan& plan, const wire::TcpInfo& tcp) {
  Sighting sighting;
  sighting.kind = SightingKind::reply;
  sighting.reply = ReplyKind::other_tcp;
  sighting.timestamp = tcp.options.timestamp_value.value_or(0);
  if (!has(tcp.flags, kAck)) {
    // A reset without ACK takes its number from the acknowledgement that it
    // refuses (RFC 9293 section 3.10.7.1); nothing else without ACK is an answer.
    const bool is_answer = has(tcp.flags, kRst) && has(plan.tcp_flags, kAck);
    sighting.evidence = is_answer ? TokenEvidence::exact(tcp.sequence) : TokenEvidence::refuted();
    sighting.reply = ReplyKind::rst;
    return sighting;
  }
  sighting.evidence = acknowledged(plan, tcp.acknowledgement);
  switch (tcp.flags & kKindFlags) {
    case kSyn | kAck:
      sighting.reply = ReplyKind::syn_ack;
      break;
    case kAck:
      sighting.kind = SightingKind::acknowledgement;
      break;
    default:
      sighting.reply = has(tcp.flags, kRst) ? ReplyKind::rst : ReplyKind::other_tcp;
  }
  return sighting;
}

Sighting recognise(const ProbePlan& plan, const Endpoints& endpoints, const wire::DecodedPacket& packet) {
  Sighting sighting;
  std::optional<std::uint32_t> destination;
  std::uint16_t local_port = 0;
  if (packet.tcp) {
    const wire::TcpInfo& tcp = *packet.tcp;
    local_port = tcp.source_port;
    if (endpoints.owns_port(local_port)) {
      destination = endpoints.find(packet.ip.source, packet.ip.destination, tcp.destination_port);
    }
    if (destination) {
      sighting = departing(plan, tcp);
    } else if (endpoints.owns_port(tcp.destination_port)) {
      local_port = tcp.destination_port;
      destination = endpoints.find(packet.ip.destination, packet.ip.source, tcp.source_port);
      sighting = arriving(plan, tcp);
    }
  } else if (is_delivery_error(packet) && packet.quoted->tcp) {
    const wire::QuotedPacket& quoted = *packet.quoted;
    local_port = quoted.tcp->source_port;
    if (endpoints.owns_port(local_port)) {
      destination = endpoints.find(quoted.ip.source, quoted.ip.destination, quoted.tcp->destination_port);
    }
    sighting = error_sighting(packet);
    sighting.evidence = TokenEvidence::exact(quoted.tcp->sequence);
  }
  if (!destination) {
    return {};
  }
  sighting.key = {*destination, local_port};
  return sighting;
}

CaptureFilters filters(const ProbePlan& plan) {
  const std::string sampled = std::to_string(plan.seed & kResetSampleMask);
  // pcap's tcp[] indexes IPv4 only.
  std::vector<std::string> kinds;
  if (has_family(plan, wire::IpFamily::v4)) {
    kinds.push_back("ip and (tcp[13] & 4 = 0 or tcp[0:2] & 15 = " + sampled + ")");
  }
  if (has_family(plan, wire::IpFamily::v6)) {
    kinds.push_back("ip6 and (ip6[53] & 4 = 0 or ip6[40:2] & 15 = " + sampled + ")");
  }
  const std::string departures = all_of({"tcp", source_hosts(plan, "src"), target_hosts(plan, "dst"),
                                         target_ports(plan, "dst"), source_ports(plan, "src"), any_of(kinds)});
  const std::string answers = all_of({"tcp", target_hosts(plan, "src"), source_hosts(plan, "dst"),
                                      target_ports(plan, "src"), source_ports(plan, "dst")});
  return {departures, any_of({answers, icmp_errors(plan)})};
}

}  // namespace

const ProtocolRow& tcp_row() {
  static constexpr ProtocolRow kRow = {Protocol::tcp, "tcp", build, patch, key, recognise, filters};
  return kRow;
}

}  // namespace volley::probe

// Finds the probes of a capture file (see the header). One thread.
#include "volley/probe/capture_survey.h"

#include <algorithm>

#include "volley/probe/port_set.h"
#include "volley/wire/byte_order.h"
#include "volley/wire/decode.h"
#include "volley/wire/icmp.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"
#include "volley/wire/udp.h"

namespace volley::probe {

namespace {

using wire::tcp_flag::kAck;
using wire::tcp_flag::kRst;
using wire::tcp_flag::kSyn;

constexpr std::uint16_t kDnsPort = 53;
constexpr std::size_t kNtpRequestBytes = 48;
constexpr std::uint8_t kNtpModeMask = 7;
constexpr std::uint8_t kNtpClient = 3;

bool is_opening(std::uint8_t flags) {
  return (flags & kSyn) != 0 && (flags & (kAck | kRst)) == 0;
}

std::size_t saturated_difference(std::size_t whole, std::size_t part) {
  return whole > part ? whole - part : 0;
}

}  // namespace

void CaptureSurvey::note(const Conversation& conversation, std::uint16_t source_port,
                         std::span<const std::uint8_t> payload, std::size_t payload_bytes, std::int64_t time_ns) {
  Traffic& traffic = conversations_[conversation];
  if (traffic.probes == 0) {
    traffic.first_ns = time_ns;
    traffic.payload_bytes = static_cast<std::uint16_t>(std::min<std::size_t>(payload_bytes, 65535));
    traffic.ttl = packet_.ip.ttl;
    traffic.dscp = static_cast<std::uint8_t>(packet_.ip.traffic_class >> 2U);
    traffic.dont_fragment = packet_.ip.dont_fragment;
    traffic.looks_like_ntp =
        payload_bytes == kNtpRequestBytes && !payload.empty() && (payload[0] & kNtpModeMask) == kNtpClient;
  }
  ++traffic.probes;
  traffic.last_ns = std::max(traffic.last_ns, time_ns);
  traffic.source_ports.insert(source_port);
  if (payload.size() >= sizeof(std::uint32_t)) {
    const std::uint32_t word = wire::load_be32(payload);
    if (!traffic.first_word) traffic.first_word = word;
    if (word != *traffic.first_word) traffic.is_first_word_constant = false;
  }
}

void CaptureSurvey::note_tcp(std::size_t header_bytes, std::int64_t time_ns) {
  const wire::TcpInfo& tcp = *packet_.tcp;
  const bool is_sent_here = packet_.link.direction == wire::FrameDirection::outgoing && (tcp.flags & kRst) == 0;
  if (!is_opening(tcp.flags) && !is_sent_here) return;
  note({Protocol::tcp, tcp.flags, packet_.ip.source, packet_.ip.destination, tcp.destination_port}, tcp.source_port,
       tcp.payload, saturated_difference(packet_.ip.total_length, header_bytes), time_ns);
}

void CaptureSurvey::note_udp(std::int64_t time_ns) {
  const wire::UdpInfo& udp = *packet_.udp;
  const auto& [source, destination] = std::tie(packet_.ip.source, packet_.ip.destination);
  if (udp_flows_.contains({destination, source, udp.destination_port, udp.source_port})) return;  // an answer
  udp_flows_.insert({source, destination, udp.source_port, udp.destination_port});
  note({Protocol::udp, 0, source, destination, udp.destination_port}, udp.source_port, udp.payload,
       saturated_difference(udp.length, wire::kUdpHeaderBytes), time_ns);
}

void CaptureSurvey::on_frame(const CapturedFrame& frame) {
  if (first_ns_ == 0 || frame.time_ns < first_ns_) first_ns_ = frame.time_ns;
  last_ns_ = std::max(last_ns_, frame.time_ns);
  if (wire::decode(frame.link_type, frame.bytes, packet_) != wire::DecodeStatus::ok) return;
  if (packet_.tcp) {
    wire::LinkInfo link;
    const auto network = wire::read_link(frame.link_type, frame.bytes, link);
    note_tcp(static_cast<std::size_t>(packet_.tcp->payload.data() - network->bytes.data()), frame.time_ns);
  } else if (packet_.udp) {
    note_udp(frame.time_ns);
  } else if (packet_.icmp) {
    const bool is_v6 = packet_.ip.source.is_v6();
    if (packet_.icmp->type != (is_v6 ? wire::kIcmpv6EchoRequest : wire::kIcmpEchoRequest)) return;
    const std::size_t headers = (is_v6 ? wire::kIpv6HeaderBytes : wire::kIpv4HeaderBytes) + wire::kIcmpHeaderBytes;
    note({Protocol::icmp, 0, packet_.ip.source, packet_.ip.destination, 0}, 0, packet_.icmp->payload,
         saturated_difference(packet_.ip.total_length, headers), frame.time_ns);
  }
}

// The conversations of the request's protocol and target, of one kind of probe.
std::vector<const CaptureSurvey::Conversations::value_type*> CaptureSurvey::chosen(const ReplayRequest& request) const {
  const auto is_asked_for = [&](const Conversation& conversation) {
    return (!request.protocol || conversation.protocol == *request.protocol) &&
           (!request.target || conversation.target == *request.target);
  };
  // Openings before all other segments, then the kind with the most probes.
  std::map<std::pair<Protocol, std::uint8_t>, std::uint64_t> kinds;
  bool has_opening = false;
  for (const auto& [conversation, traffic] : conversations_) {
    if (!is_asked_for(conversation)) continue;
    kinds[{conversation.protocol, conversation.tcp_flags}] += traffic.probes;
    has_opening = has_opening || is_opening(conversation.tcp_flags);
  }
  const auto rank = [&](const auto& kind) {
    const bool is_other_segment = kind.first.first == Protocol::tcp && has_opening && !is_opening(kind.first.second);
    return std::pair(!is_other_segment, kind.second);
  };
  const auto most =
      std::max_element(kinds.begin(), kinds.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<const Conversations::value_type*> result;
  for (const auto& entry : conversations_) {
    if (is_asked_for(entry.first) && most->first == std::pair(entry.first.protocol, entry.first.tcp_flags)) {
      result.push_back(&entry);
    }
  }
  return result;
}

// What one probe is, from the first of the conversations.
void CaptureSurvey::describe_probes(const Conversations::value_type& sample, ProbePlan& plan) {
  const auto& [conversation, traffic] = sample;
  plan.protocol = conversation.protocol;
  plan.tcp_flags = conversation.tcp_flags;
  plan.payload_bytes = traffic.payload_bytes;
  plan.ttl = traffic.ttl;
  plan.dscp = traffic.dscp;
  plan.dont_fragment = traffic.dont_fragment;
  if (plan.protocol != Protocol::udp) return;
  if (conversation.port == kDnsPort) {
    plan.udp_payload = UdpPayload::dns;
  } else if (traffic.looks_like_ntp) {
    plan.udp_payload = UdpPayload::ntp;
  } else if (traffic.probes > 1 && traffic.is_first_word_constant) {
    plan.udp_payload = UdpPayload::custom;  // without an id that differs from probe to probe
  }
}

std::variant<ProbePlan, std::string> CaptureSurvey::plan(const ReplayRequest& request) const {
  const auto conversations = chosen(request);
  if (conversations.empty()) {
    return conversations_.empty() ? std::string("no probe in it: no SYN, echo request or UDP datagram")
                                  : std::string("no probe in it to that target or of that protocol");
  }
  ProbePlan plan;
  plan.timeout = request.timeout;
  plan.rss = request.rss;
  plan.rss_source = request.rss_source;
  describe_probes(*conversations.front(), plan);
  std::set<std::uint16_t> ports;
  std::int64_t first_ns = conversations.front()->second.first_ns;
  std::int64_t last_ns = first_ns;
  std::uint64_t probes = 0;
  for (const auto* entry : conversations) {
    const auto& [conversation, traffic] = *entry;
    Destination& destination = plan.destinations.emplace_back();
    destination.address = conversation.target;
    destination.port = conversation.port;
    destination.source = conversation.source;
    destination.name = wire::to_string(conversation.target);
    ports.insert(traffic.source_ports.begin(), traffic.source_ports.end());
    first_ns = std::min(first_ns, traffic.first_ns);
    last_ns = std::max(last_ns, traffic.last_ns);
    probes += traffic.probes;
    plan.count = std::max(plan.count, traffic.probes);
  }
  if (plan.protocol != Protocol::icmp) {
    plan.source_ports.assign(ports.begin(), ports.end());
    const PortBlock block = covering_block(*ports.begin(), *ports.rbegin());
    plan.port_base = block.base;
    plan.port_bits = block.bits;
  }
  if (probes > 1 && last_ns > first_ns) {
    plan.rate_pps = static_cast<double>(probes - 1) * 1e9 / static_cast<double>(last_ns - first_ns);
  }
  return plan;
}

}  // namespace volley::probe

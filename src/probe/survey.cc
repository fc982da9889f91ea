// NOTE FROM THE LEAD: see survey.h: capture_survey.{h,cc} and replay.{h,cc} exist and are in use; delete this file.
// Finds the probes in a capture, and the plan behind them. One thread.
#include "volley/probe/survey.h"

#include <algorithm>

#include "volley/probe/flight_table.h"
#include "volley/probe/payload.h"
#include "volley/probe/plan_text.h"
#include "volley/probe/protocol.h"
#include "volley/wire/decode.h"
#include "volley/wire/icmp.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"
#include "volley/wire/udp.h"

namespace volley::probe {

namespace {

// Without a restriction, groups smaller than this share of the largest are noise.
constexpr std::uint64_t kNoiseShare = 100;

bool is_one_host(const wire::IpAddress& address) {
  return !wire::is_multicast(address) && !wire::is_limited_broadcast(address) && !wire::is_unspecified(address);
}

bool is_opening_syn(const wire::TcpInfo& tcp) {
  constexpr std::uint8_t kKinds =
      wire::tcp_flag::kSyn | wire::tcp_flag::kAck | wire::tcp_flag::kRst | wire::tcp_flag::kFin;
  return (tcp.flags & kKinds) == wire::tcp_flag::kSyn;
}

// What a kernel sends to a SYN-ACK that it never asked for.
bool is_bare_reset(const wire::TcpInfo& tcp) {
  return (tcp.flags & (wire::tcp_flag::kRst | wire::tcp_flag::kAck)) == wire::tcp_flag::kRst;
}

}  // namespace

void Survey::on_frame(const CapturedFrame& frame) {
  ++frames_;
  first_frame_ns_ = frames_ == 1 ? frame.time_ns : std::min(first_frame_ns_, frame.time_ns);
  latest_ns_ = frames_ == 1 ? frame.time_ns : std::max(latest_ns_, frame.time_ns);
  if (wire::decode(frame.link_type, frame.bytes, packet_) != wire::DecodeStatus::ok) {
    return;
  }
  if (packet_.tcp && is_bare_reset(*packet_.tcp)) {
    ++resets_[packet_.tcp->source_port & kResetSampleMask];
  }
  if (const auto found = candidate()) {
    waiting_.emplace(frame.time_ns, *found);
    judge_before(latest_ns_ - kSlack.count());
  }
}

// The packet as a probe, if its kind can be one.
std::optional<Survey::Candidate> Survey::candidate() const {
  const wire::IpInfo& ip = packet_.ip;
  if (!is_one_host(ip.source) || !is_one_host(ip.destination)) {
    return std::nullopt;
  }
  Candidate found{.key = {Protocol::tcp, ip.source, ip.destination, 0, 0},
                  .ttl = ip.ttl,
                  .dscp = static_cast<std::uint8_t>(ip.traffic_class >> 2U)};
  if (packet_.tcp && is_opening_syn(*packet_.tcp)) {
    found.key.port = packet_.tcp->destination_port;
    found.key.tcp_flags = packet_.tcp->flags;
    found.source_port = packet_.tcp->source_port;
    found.payload_bytes = static_cast<std::uint16_t>(packet_.tcp->payload.size());
    return found;
  }
  if (packet_.udp && packet_.udp->source_port != 0 && packet_.udp->destination_port != 0) {
    const wire::UdpInfo& udp = *packet_.udp;
    found.key.protocol = Protocol::udp;
    found.key.port = udp.destination_port;
    found.source_port = udp.source_port;
    found.payload_bytes =
        static_cast<std::uint16_t>(udp.length > wire::kUdpHeaderBytes ? udp.length - wire::kUdpHeaderBytes : 0);
    found.udp_payload = guess_payload(udp.payload, found.payload_bytes);
    return found;
  }
  const std::uint8_t request = ip.source.is_v6() ? wire::kIcmpv6EchoRequest : wire::kIcmpEchoRequest;
  if (packet_.icmp && packet_.icmp->type == request) {
    const std::size_t ip_bytes = ip.source.is_v6() ? wire::kIpv6HeaderBytes : wire::kIpv4HeaderBytes;
    const std::size_t headers = ip_bytes + wire::kIcmpHeaderBytes;
    found.key.protocol = Protocol::icmp;
    found.payload_bytes = static_cast<std::uint16_t>(std::max<std::size_t>(ip.total_length, headers) - headers);
    return found;
  }
  return std::nullopt;
}

void Survey::judge_before(std::int64_t time_ns) {
  while (!waiting_.empty() && waiting_.begin()->first <= time_ns) {
    judge(waiting_.begin()->second, waiting_.begin()->first);
    waiting_.erase(waiting_.begin());
  }
}

void Survey::judge(const Candidate& candidate, std::int64_t time_ns) {
  const Key& key = candidate.key;
  if (key.protocol == Protocol::udp) {
    // The first datagram between two ends is the probe, what comes back is not.
    const auto asked = groups_.find({Protocol::udp, key.target, key.source, candidate.source_port, 0});
    if (asked != groups_.end() && asked->second.source_ports.contains(key.port)) {
      return;
    }
  }
  auto found = groups_.find(key);
  if (found == groups_.end()) {
    if (groups_.size() == kMostGroups) {
      ++left_out_;
      return;
    }
    ProbeGroup group;
    group.protocol = key.protocol;
    group.source = key.source;
    group.target = key.target;
    group.port = key.port;
    group.tcp_flags = key.tcp_flags;
    group.first_ns = group.last_ns = time_ns;
    group.ttl = candidate.ttl;
    group.dscp = candidate.dscp;
    group.payload_bytes = candidate.payload_bytes;
    group.udp_payload = candidate.udp_payload;
    found = groups_.emplace(key, std::move(group)).first;
  }
  ProbeGroup& group = found->second;
  ++group.probes;
  group.first_ns = std::min(group.first_ns, time_ns);
  group.last_ns = std::max(group.last_ns, time_ns);
  if (candidate.source_port != 0) {
    group.source_ports.insert(candidate.source_port);
  }
}

std::uint16_t Survey::reset_sample() const {
  return static_cast<std::uint16_t>(std::max_element(resets_.begin(), resets_.end()) - resets_.begin());
}

std::vector<ProbeGroup> Survey::groups() {
  judge_before(latest_ns_);
  std::vector<ProbeGroup> all;
  for (const auto& [key, group] : groups_) {
    all.push_back(group);
  }
  std::sort(all.begin(), all.end(), [](const ProbeGroup& a, const ProbeGroup& b) { return a.first_ns < b.first_ns; });
  return all;
}

namespace {

struct Chosen {
  std::vector<ProbeGroup> groups;
  std::uint64_t left_out = 0;  // groups
};

bool is_wanted(const ProbeGroup& group, const ReplayOptions& options) {
  return (!options.protocol || group.protocol == *options.protocol) &&
         (!options.source || group.source == *options.source) && (!options.target || group.target == *options.target) &&
         (!options.port || group.port == *options.port);
}

// Groups of one kind: a plan has one protocol, one set of flags, one payload.
bool is_of_kind(const ProbeGroup& group, const ProbeGroup& kind) {
  return group.protocol == kind.protocol && group.tcp_flags == kind.tcp_flags && group.udp_payload == kind.udp_payload;
}

Chosen choose(Survey& survey, const ReplayOptions& options) {
  std::vector<ProbeGroup> wanted = survey.groups();
  std::erase_if(wanted, [&](const ProbeGroup& group) { return !is_wanted(group, options); });
  Chosen chosen;
  if (wanted.empty()) {
    return chosen;
  }
  const ProbeGroup largest = *std::max_element(
      wanted.begin(), wanted.end(), [](const ProbeGroup& a, const ProbeGroup& b) { return a.probes < b.probes; });
  const bool is_restricted = options.source || options.target || options.port;
  for (ProbeGroup& group : wanted) {
    if (is_of_kind(group, largest) && (is_restricted || group.probes * kNoiseShare >= largest.probes)) {
      chosen.groups.push_back(std::move(group));
    } else {
      ++chosen.left_out;
    }
  }
  return chosen;
}

void take_schedule(const std::vector<ProbeGroup>& groups, PlanRequest& request) {
  std::uint64_t probes = 0;
  std::int64_t first_ns = groups.front().first_ns;
  std::int64_t last_ns = groups.front().last_ns;
  for (const ProbeGroup& group : groups) {
    probes += group.probes;
    first_ns = std::min(first_ns, group.first_ns);
    last_ns = std::max(last_ns, group.last_ns);
  }
  request.duration = std::chrono::nanoseconds(0);  // the file ends it
  if (last_ns > first_ns) {
    // A burst of a few probes has no meaningful rate: as much as a plan may have.
    const double most =
        static_cast<double>(kMaxFlightCapacity) / std::chrono::duration<double>(request.timeout).count();
    const double rate = static_cast<double>(probes - 1) * 1e9 / static_cast<double>(last_ns - first_ns);
    request.rate_pps = std::clamp(rate, 1.0 / 3600.0, most);
  }
}

}  // namespace

std::variant<ProbePlan, PlanErrors> make_replay_plan(Survey& survey, const ReplayOptions& options) {
  const Chosen chosen = choose(survey, options);
  if (chosen.groups.empty()) {
    return PlanErrors{survey.groups().empty() ? "no probe in it: no SYN, no echo request, no UDP"
                                              : "no probe in it that fits the given protocol, source, target and port"};
  }
  PlanRequest request;
  const ProbeGroup& first = chosen.groups.front();
  request.protocol = first.protocol;
  request.timeout = options.timeout;
  request.ttl = std::max<std::uint8_t>(first.ttl, 1);
  request.dscp = first.dscp;
  request.allow_public_rate = true;
  request.seed = survey.reset_sample();
  request.rss = options.rss;
  request.rss_source = options.rss_source;
  if (first.protocol == Protocol::tcp) {
    request.tcp_flags = first.tcp_flags;
  }
  if (first.protocol == Protocol::udp) {
    request.udp_payload = first.udp_payload;
    request.custom_payload.resize(first.udp_payload == UdpPayload::custom ? first.payload_bytes : 0);
  }
  const bool has_own_length = first.protocol == Protocol::udp && first.udp_payload != UdpPayload::sized;
  request.payload_bytes = has_own_length ? std::uint16_t{0} : first.payload_bytes;
  request.payload_bytes_given = !has_own_length;
  std::set<std::uint16_t> ports;
  for (const ProbeGroup& group : chosen.groups) {
    Destination to;
    to.address = group.target;
    to.port = group.port;
    to.source = group.source;
    to.name = wire::to_string(group.target);
    request.destinations.push_back(to);
    ports.insert(group.source_ports.begin(), group.source_ports.end());
  }
  request.listed_source_ports.assign(ports.begin(), ports.end());
  take_schedule(chosen.groups, request);

  auto made = make_plan(request);
  if (auto* plan = std::get_if<ProbePlan>(&made)) {
    plan->warnings.clear();  // they are about sending
    if (chosen.left_out != 0) {
      plan->warnings.push_back(count_text(chosen.left_out, "other flow group") +
                               " in the capture left out: choose by protocol, source, target or port");
    }
  }
  return made;
}

}  // namespace volley::probe

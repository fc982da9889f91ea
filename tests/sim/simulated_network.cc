// The simulated network's target, ways and capture. One thread.
#include "simulated_network.h"

#include <algorithm>
#include <array>
#include <utility>

#include "volley/probe/tcp_options.h"
#include "volley/rss/flow_hasher.h"
#include "volley/wire/byte_order.h"
#include "volley/wire/decode.h"
#include "volley/wire/icmp.h"

namespace volley::sim {

namespace {

using probe::FrameOrigin;
using wire::tcp_flag::kAck;
using wire::tcp_flag::kFin;
using wire::tcp_flag::kRst;
using wire::tcp_flag::kSyn;

constexpr std::int64_t kDepartureNs = 1 * kMicrosecond;  // from the write to the sight of it
constexpr std::int64_t kChallengeLimitNs = kSecond / 2;  // tcp_invalid_ratelimit
constexpr std::uint16_t kTargetMtu = 1500;
constexpr std::uint8_t kTargetTtl = 64;

wire::DecodedPacket decoded(std::span<const std::uint8_t> bytes) {
  wire::DecodedPacket packet;
  wire::decode_ip(bytes, packet);
  return packet;
}

wire::Flow flow_of(const wire::DecodedPacket& packet) {
  wire::Flow flow{packet.ip.source, packet.ip.destination, 0, 0, static_cast<wire::IpProtocol>(packet.ip.protocol)};
  if (packet.tcp) {
    flow.source_port = packet.tcp->source_port;
    flow.destination_port = packet.tcp->destination_port;
  } else if (packet.udp) {
    flow.source_port = packet.udp->source_port;
    flow.destination_port = packet.udp->destination_port;
  }
  return flow;
}

probe::IpFields ip_back(const wire::IpAddress& from, const wire::IpAddress& to) {
  return {.source = from, .destination = to, .ttl = kTargetTtl, .identification = 1};
}

}  // namespace

Impairment lose(double share) {
  return [share](const wire::DecodedPacket&, std::int64_t, probe::Generator& generator) {
    constexpr std::uint32_t kScale = 1U << 30U;
    return Fate{.is_lost = generator.below(kScale) < share * kScale};
  };
}

Impairment on_queue(const rss::RssConfig& config, rss::QueueId queue, Impairment what) {
  return [hasher = rss::RssHasher(config), queue, what = std::move(what)](
             const wire::DecodedPacket& packet, std::int64_t now, probe::Generator& generator) {
    return hasher.queue(flow_of(packet)) == queue ? what(packet, now, generator) : Fate{};
  };
}

Impairment both(Impairment first, Impairment second) {
  return [first = std::move(first), second = std::move(second)](const wire::DecodedPacket& packet, std::int64_t now,
                                                                probe::Generator& generator) {
    const Fate a = first(packet, now, generator);
    const Fate b = second(packet, now, generator);
    return Fate{a.is_lost || b.is_lost, a.delay_ns + b.delay_ns, a.copies + b.copies};
  };
}

SimulatedNetwork::SimulatedNetwork(Settings settings) : settings_(std::move(settings)), generator_(settings_.seed) {}

void SimulatedNetwork::put(Event event) {
  event.order = next_order_++;
  events_.push(std::move(event));
}

std::int64_t SimulatedNetwork::way_ns() {
  return settings_.one_way_ns + generator_.below(static_cast<std::uint32_t>(settings_.jitter_ns) + 1);
}

void SimulatedNetwork::capture(const Bytes& packet, FrameOrigin origin) {
  if (settings_.is_missed_by_capture && settings_.is_missed_by_capture(frames_++)) {
    ++capture_.dropped;
    return;
  }
  ++capture_.received;
  captured_.push_back({wall_ns(), settings_.sees_once ? FrameOrigin::either : origin, packet});
}

void SimulatedNetwork::advance(std::int64_t now_ns) {
  while (!events_.empty() && events_.top().time_ns <= now_ns) {
    const Event event = events_.top();
    events_.pop();
    now_ns_ = std::max(now_ns_, event.time_ns);
    switch (event.place) {
      case Place::target:
        at_target(event);
        break;
      case Place::here:
        at_home(event);
        break;
      case Place::resend_timer:
        at_timer(event);
        break;
    }
  }
  now_ns_ = std::max(now_ns_, now_ns);
}

void SimulatedNetwork::send(std::span<probe::OutgoingPacket> packets) {
  for (probe::OutgoingPacket& packet : packets) {
    const std::uint64_t number = packets_++;
    packet.error = settings_.write_error ? settings_.write_error(number) : probe::NotSentReason::none;
    if (packet.error != probe::NotSentReason::none ||
        (settings_.is_dropped_locally && settings_.is_dropped_locally(number))) {
      continue;
    }
    ++truth_.departed;
    forward(Bytes(packet.bytes.begin(), packet.bytes.end()), true);
  }
}

// Leaves this host: seen by the capture, then on its way.
void SimulatedNetwork::forward(const Bytes& packet, bool is_probe) {
  now_ns_ += is_probe ? kDepartureNs : 0;
  capture(packet, FrameOrigin::departure);
  const Fate fate = settings_.forward ? settings_.forward(decoded(packet), now_ns_, generator_) : Fate{};
  if (fate.is_lost) {
    ++(is_probe ? truth_.forward_lost : truth_.resets_lost);
    return;
  }
  truth_.delivered += is_probe ? 1 : 0;
  for (int copy = 0; copy <= fate.copies; ++copy) {
    put({.time_ns = now_ns_ + way_ns() + fate.delay_ns,
         .packet = packet,
         .flow = {},
         .is_first = is_probe && copy == 0});
  }
}

void SimulatedNetwork::answer(Answer answer) {
  const Fate fate = settings_.reverse ? settings_.reverse(decoded(answer.packet), now_ns_, generator_) : Fate{};
  truth_.challenges_sent += answer.is_challenge ? 1 : 0;
  if (fate.is_lost) {
    truth_.first_replies_lost += answer.is_first ? 1 : 0;
    return;
  }
  truth_.first_replies_arrived += answer.is_first ? 1 : 0;
  truth_.syn_acks_resent += answer.is_resend ? 1 : 0;
  truth_.challenges_arrived += answer.is_challenge ? 1 : 0;
  truth_.copies_arrived += static_cast<std::uint64_t>(fate.copies);
  for (int copy = 0; copy <= fate.copies; ++copy) {
    put({.time_ns = now_ns_ + way_ns() + fate.delay_ns, .place = Place::here, .packet = answer.packet, .flow = {}});
  }
}

void SimulatedNetwork::at_target(const Event& event) {
  const wire::DecodedPacket packet = decoded(event.packet);
  if (settings_.target.is_silent) {
    return;
  }
  if (packet.tcp) {
    target_tcp(packet, event.is_first);
  } else if (packet.udp) {
    target_udp(packet, event.packet, event.is_first);
  } else if (packet.icmp && settings_.target.answers_echo) {
    target_icmp(packet, event.is_first);
  }
}

SimulatedNetwork::Bytes SimulatedNetwork::tcp_answer(const wire::DecodedPacket& packet, std::uint32_t sequence,
                                                     std::uint32_t acknowledgement, std::uint8_t flags) {
  return builder_.tcp(ip_back(packet.ip.destination, packet.ip.source),
                      {packet.tcp->destination_port, packet.tcp->source_port, sequence, acknowledgement, flags, 0, {}},
                      {});
}

SimulatedNetwork::Bytes SimulatedNetwork::syn_ack(const wire::Flow& flow, const HalfOpen& entry) {
  const auto options = probe::syn_options(probe::segment_size(kTargetMtu, flow.source.family),
                                          static_cast<std::uint32_t>(now_ns_ / kMillisecond + 12345));
  return builder_.tcp(
      ip_back(flow.destination, flow.source),
      {flow.destination_port, flow.source_port, entry.own_sequence, entry.sequence + 1, kSyn | kAck, 65160, options},
      {});
}

// Linux's timer is a little late, by a grain that grows with the wait.
void SimulatedNetwork::arm_timers(const wire::Flow& flow, std::uint64_t id) {
  const std::int64_t late = generator_.below(36 * kMillisecond);
  const std::array<std::int64_t, 3> after = {kSecond + late, 3 * kSecond + late + generator_.below(20 * kMillisecond),
                                             7 * kSecond + late + generator_.below(300 * kMillisecond)};
  for (const std::int64_t wait : after) {
    put({.time_ns = now_ns_ + wait, .place = Place::resend_timer, .packet = {}, .flow = flow, .id = id});
  }
}

void SimulatedNetwork::at_timer(const Event& event) {
  const auto entry = half_open_.find(event.flow);
  if (entry != half_open_.end() && entry->second.id == event.id) {
    answer({.packet = syn_ack(event.flow, entry->second), .is_resend = true});
  }
}

void SimulatedNetwork::target_tcp(const wire::DecodedPacket& packet, bool is_first) {
  const wire::TcpInfo& tcp = *packet.tcp;
  const wire::Flow flow = flow_of(packet);
  const auto found = half_open_.find(flow);
  if ((tcp.flags & kRst) != 0) {
    if (found != half_open_.end() && tcp.sequence == found->second.sequence + 1) {
      half_open_.erase(found);
    }
    return;
  }
  const bool is_syn = (tcp.flags & kSyn) != 0 && (tcp.flags & kAck) == 0;
  if (!is_syn || !settings_.target.open_tcp.contains(tcp.destination_port)) {
    const bool has_ack = (tcp.flags & kAck) != 0;
    const std::uint32_t length = static_cast<std::uint32_t>(tcp.payload.size()) + ((tcp.flags & kSyn) != 0 ? 1U : 0U) +
                                 ((tcp.flags & kFin) != 0 ? 1U : 0U);
    answer({.packet = has_ack ? tcp_answer(packet, tcp.acknowledgement, 0, kRst)
                              : tcp_answer(packet, 0, tcp.sequence + length, kRst | kAck),
            .is_first = is_first});
    return;
  }
  if (settings_.target.uses_syn_cookies) {
    answer({.packet = syn_ack(flow, {.sequence = tcp.sequence, .own_sequence = 77}), .is_first = is_first});
    return;
  }
  if (found == half_open_.end()) {
    const HalfOpen entry{
        .sequence = tcp.sequence, .own_sequence = static_cast<std::uint32_t>(generator_.next()), .id = next_order_};
    half_open_[flow] = entry;
    arm_timers(flow, entry.id);
    answer({.packet = syn_ack(flow, entry), .is_first = is_first});
  } else if (found->second.sequence == tcp.sequence) {
    answer({.packet = syn_ack(flow, found->second)});  // a copy of the same SYN
  } else if (now_ns_ - found->second.last_challenge_ns >= kChallengeLimitNs) {
    found->second.last_challenge_ns = now_ns_;
    answer({.packet = tcp_answer(packet, found->second.own_sequence + 1, found->second.sequence + 1, kAck),
            .is_challenge = true});
  }
}

void SimulatedNetwork::target_udp(const wire::DecodedPacket& packet, const Bytes& bytes, bool is_first) {
  const wire::UdpInfo& udp = *packet.udp;
  const probe::IpFields ip = ip_back(packet.ip.destination, packet.ip.source);
  if (settings_.target.udp_echo.contains(udp.destination_port)) {
    answer({.packet = builder_.udp(ip, {udp.destination_port, udp.source_port}, udp.payload), .is_first = is_first});
    return;
  }
  // An error message is an echo with other type and code around the quote.
  Bytes unreachable = builder_.echo(ip, {0, 0}, bytes);
  const bool is_v6 = packet.ip.source.is_v6();
  const std::size_t icmp = unreachable.size() - bytes.size() - wire::kIcmpHeaderBytes;
  unreachable[icmp + wire::kIcmpTypeOffset] = is_v6 ? wire::kIcmpv6Unreachable : wire::kIcmpUnreachable;
  unreachable[icmp + wire::kIcmpCodeOffset] = is_v6 ? wire::kIcmpv6PortUnreachableCode : wire::kIcmpPortUnreachableCode;
  answer({.packet = std::move(unreachable), .is_first = is_first});
}

void SimulatedNetwork::target_icmp(const wire::DecodedPacket& packet, bool is_first) {
  const bool is_v6 = packet.ip.source.is_v6();
  Bytes reply = builder_.echo(ip_back(packet.ip.destination, packet.ip.source),
                              {packet.icmp->identifier, packet.icmp->sequence}, packet.icmp->payload);
  reply[reply.size() - packet.icmp->payload.size() - wire::kIcmpHeaderBytes] =
      is_v6 ? wire::kIcmpv6EchoReply : wire::kIcmpEchoReply;
  answer({.packet = std::move(reply), .is_first = is_first});
}

// Our own host: the capture sees the answer, the kernel resets what it never asked for.
void SimulatedNetwork::at_home(const Event& event) {
  capture(event.packet, FrameOrigin::arrival);
  const wire::DecodedPacket packet = decoded(event.packet);
  if (settings_.our_kernel_resets && packet.tcp && (packet.tcp->flags & kAck) != 0 && (packet.tcp->flags & kRst) == 0) {
    forward(tcp_answer(packet, packet.tcp->acknowledgement, 0, kRst), false);
  }
}

std::size_t SimulatedNetwork::poll(std::chrono::nanoseconds /*wait*/, probe::FrameHandler& handler) {
  std::stable_partition(captured_.begin(), captured_.end(),
                        [](const Captured& frame) { return frame.origin == FrameOrigin::arrival; });
  const std::vector<Captured> frames = std::exchange(captured_, {});
  for (const Captured& frame : frames) {
    probe::CapturedFrame out;
    out.time_ns = frame.time_ns;
    out.link_type = wire::LinkType::raw_ip;
    out.origin = frame.origin;
    out.bytes = frame.packet;
    out.wire_length = static_cast<std::uint32_t>(frame.packet.size());
    if (on_captured) {
      on_captured(out);
    }
    handler.on_frame(out);
  }
  return frames.size();
}

}  // namespace volley::sim

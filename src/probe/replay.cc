// Runs the matcher over a capture. One thread.
#include "volley/probe/replay.h"

#include <algorithm>

#include "volley/wire/decode.h"

namespace volley::probe {

namespace {

constexpr std::int64_t kSettleEveryNs = 5'000'000;

}  // namespace

Replay::Replay(const ProbePlan& plan, OutcomeSink& sink, std::int64_t start_wall_ns)
    : plan_(plan),
      row_(protocol_row(plan.protocol)),
      endpoints_(plan),
      table_(kMaxFlightCapacity),  // a file may hold bursts that its mean rate doesn't show
      matcher_(plan, table_, sink, start_wall_ns) {
  table_.prepare_skips(plan.destinations.size());
}

// The same packet seen at another interface, or sent again by its own kernel.
bool Replay::is_known(const FlowKey& key, std::uint32_t token) const {
  for (auto number = table_.newest(key); number; number = table_.older(*number, key)) {
    if (table_.at(*number).token == token) {
      return true;
    }
  }
  return false;
}

void Replay::publish_probe(const CapturedFrame& frame) {
  if (wire::decode(frame.link_type, frame.bytes, packet_) != wire::DecodeStatus::ok) {
    return;
  }
  const Sighting sighting = row_.recognise(plan_, endpoints_, packet_);
  if (sighting.kind != SightingKind::probe || sighting.evidence.is_refuted) {
    return;
  }
  const std::uint32_t token = sighting.evidence.value & sighting.evidence.mask;
  if (sighting.evidence.mask == 0xffffffff && is_known(sighting.key, token)) {
    return;
  }
  if (!table_.has_room()) {
    matcher_.settle(frame.time_ns, 0);
  }
  if (!table_.has_room()) {
    table_.skip(sighting.key.destination);
    return;
  }
  const auto source_port =
      plan_.protocol == Protocol::icmp ? std::uint16_t{0} : static_cast<std::uint16_t>(sighting.key.local);
  table_.publish(sighting.key, token, source_port, frame.time_ns, 0);
  first_probe_ns_ = std::min(first_probe_ns_.value_or(frame.time_ns), frame.time_ns);
  last_probe_ns_ = std::max(last_probe_ns_.value_or(frame.time_ns), frame.time_ns);
}

void Replay::on_frame(const CapturedFrame& frame) {
  last_frame_ns_ = std::max(last_frame_ns_, frame.time_ns);
  publish_probe(frame);
  matcher_.on_frame(frame);
  if (last_frame_ns_ - settled_ns_ >= kSettleEveryNs) {
    settled_ns_ = last_frame_ns_;
    matcher_.settle(last_frame_ns_ - kSlack.count(), 0);
  }
}

void Replay::finish(CaptureEnd end) {
  const std::int64_t wait_ns = end == CaptureEnd::after_timeouts ? plan_.timeout.count() : 0;
  matcher_.finish(last_frame_ns_ + wait_ns + 1, 0);
}

}  // namespace volley::probe

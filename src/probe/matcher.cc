// Recognises captured frames, and applies them to the probes in flight in the
// order of their stamps. Receiver thread only.
#include "volley/probe/matcher.h"

#include <limits>

#include "volley/probe/endpoints.h"
#include "volley/probe/event_queue.h"
#include "volley/probe/half_open.h"
#include "volley/probe/ledger.h"
#include "volley/probe/protocol.h"
#include "volley/probe/reply_rules.h"
#include "volley/probe/settlement.h"
#include "volley/wire/decode.h"

namespace volley::probe {

struct Matcher::State {
  State(const ProbePlan& the_plan, FlightTable& the_table, OutcomeSink& sink, std::int64_t start_wall_ns)
      : plan(the_plan),
        row(protocol_row(the_plan.protocol)),
        endpoints(the_plan),
        ledger(the_plan, the_table, sink, start_wall_ns),
        settlement(the_plan, the_table, ledger),
        rules(the_plan, the_table, ledger, settlement, counters) {}

  void apply_before(std::int64_t time_ns) {
    events.apply_before(time_ns, [this](const FlightEvent& event) { rules.apply(event); });
    counters.rtt_without_departure = ledger.answered_without_rtt();
  }

  // After a step of the clock the caller's time may still be the old clock's.
  std::int64_t checked(std::int64_t drained_ns) {
    const std::int64_t checked_ns = std::min(drained_ns, latest_ns);
    latest_ns = std::numeric_limits<std::int64_t>::max();
    return checked_ns;
  }

  const ProbePlan& plan;
  const ProtocolRow& row;
  const Endpoints endpoints;
  ReceiveCounters counters;
  EventQueue events;
  Ledger ledger;
  Settlement settlement;
  ReplyRules rules;
  wire::DecodedPacket packet;
  std::int64_t latest_ns = std::numeric_limits<std::int64_t>::max();
};

Matcher::Matcher(const ProbePlan& plan, FlightTable& table, OutcomeSink& sink, std::int64_t start_wall_ns)
    : state_(std::make_unique<State>(plan, table, sink, start_wall_ns)) {}
Matcher::~Matcher() = default;

namespace {

// Where the source knows which way a frame went, its flow must agree: a probe of
// ours that comes back to us is no departure.
bool contradicts(const Sighting& sighting, FrameOrigin origin) {
  const bool leaves = sighting.kind == SightingKind::probe || sighting.kind == SightingKind::reset;
  switch (origin) {
    case FrameOrigin::departure:
      return !leaves;
    case FrameOrigin::arrival:
      return leaves;
    case FrameOrigin::either:
      break;
  }
  return false;
}

}  // namespace

void Matcher::on_frame(const CapturedFrame& frame) {
  State& s = *state_;
  ++s.counters.frames;
  const wire::DecodeStatus status = wire::decode(frame.link_type, frame.bytes, s.packet);
  if (wire::is_malformed(status)) {
    ++s.counters.malformed;
    return;
  }
  if (status != wire::DecodeStatus::ok) {
    return;
  }
  FlightEvent event;
  event.sighting = s.row.recognise(s.plan, s.endpoints, s.packet);
  if (event.sighting.kind == SightingKind::none ||
      (contradicts(event.sighting, frame.origin) && !s.endpoints.is_self(event.sighting.key.destination))) {
    return;
  }
  event.time_ns = frame.time_ns;
  event.local_queue = frame.local_queue;
  event.ttl = s.packet.ip.ttl;
  if (event.sighting.kind == SightingKind::error) {
    event.unreachable = s.ledger.intern({event.sighting.icmp_type, event.sighting.icmp_code, s.packet.ip.source});
  }
  if (s.events.is_full()) {
    s.apply_before(s.events.middle_ns() + 1);
  }
  s.events.push(event);
}

void Matcher::settle(std::int64_t drained_ns, std::uint64_t capture_dropped) {
  const std::int64_t checked_ns = state_->checked(drained_ns);
  state_->apply_before(checked_ns);
  state_->settlement.settle(checked_ns, capture_dropped);
}

void Matcher::note_clock_step(std::int64_t before_ns, std::int64_t after_ns, std::int64_t step_ns) {
  State& s = *state_;
  const std::int64_t set_by_ns = step_ns != 0 ? step_ns : after_ns - before_ns;
  ++s.counters.clock_steps;
  // What is stamped by the old clock is applied on it, the rest waits.
  const std::int64_t middle_ns = before_ns + set_by_ns / 2;
  const bool is_forward = set_by_ns > 0;
  s.events.apply_where([=](const FlightEvent& event) { return (event.time_ns <= middle_ns) == is_forward; },
                       [&s](const FlightEvent& event) { s.rules.apply(event); });
  s.settlement.shift_clock(before_ns, set_by_ns);
  s.ledger.shift_clock(set_by_ns);
  s.latest_ns = after_ns;
}

void Matcher::finish(std::int64_t drained_ns, std::uint64_t capture_dropped) {
  const std::int64_t checked_ns = state_->checked(drained_ns);
  state_->apply_before(std::numeric_limits<std::int64_t>::max());
  state_->settlement.finish(checked_ns, capture_dropped);
}

bool Matcher::is_waiting(std::int64_t now_ns) const {
  return state_->settlement.is_waiting(now_ns);
}
bool Matcher::has_undirected_losses() const {
  return state_->ledger.open_directions() != 0;
}
const ReceiveCounters& Matcher::counters() const {
  return state_->counters;
}
std::vector<std::uint64_t> Matcher::in_flight_by_destination() const {
  return state_->settlement.in_flight_by_destination();
}

}  // namespace volley::probe

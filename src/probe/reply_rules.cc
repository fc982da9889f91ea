// Applies events to the probes in flight. Receiver thread only.
#include "volley/probe/reply_rules.h"

#include "volley/probe/protocol.h"

namespace volley::probe {

namespace {

// One of two TCP timestamps is younger (RFC 7323 section 5.2); without both, the
// time of arrival must do.
bool may_be_younger(std::uint32_t timestamp, std::uint32_t than) {
  return timestamp == 0 || than == 0 || static_cast<std::int32_t>(timestamp - than) > 0;
}

}  // namespace

ReplyRules::ReplyRules(const ProbePlan& plan, FlightTable& table, Ledger& ledger, Settlement& settlement,
                       ReceiveCounters& counters)
    : plan_(plan),
      table_(table),
      ledger_(ledger),
      settlement_(settlement),
      counters_(counters),
      windows_(plan.destinations.size()),
      timeout_ns_(plan.timeout.count()),
      opens_half_(opens_half(plan)) {}

void ReplyRules::apply(const FlightEvent& event) {
  switch (event.sighting.kind) {
    case SightingKind::none:
      break;
    case SightingKind::probe:
      apply_probe(event);
      break;
    case SightingKind::reset:
      apply_reset(event);
      break;
    case SightingKind::reply:
      apply_reply(event);
      break;
    case SightingKind::acknowledgement:
      apply_acknowledgement(event);
      break;
    case SightingKind::error:
      apply_error(event);
      break;
  }
}

std::optional<std::uint64_t> ReplyRules::find(const FlightEvent& event) const {
  const Sighting& sighting = event.sighting;
  if (sighting.evidence.is_flow_alone()) {
    return find_by_flow(event);
  }
  auto number = table_.newest(sighting.key);
  while (number && !sighting.evidence.fits(table_.at(*number).token)) {
    number = table_.older(*number, sighting.key);
  }
  return number;
}

// An answer without any trace of the id belongs to the only probe of its port
// that waits for one; if none waits, to the newest that was sent before.
std::optional<std::uint64_t> ReplyRules::find_by_flow(const FlightEvent& event) const {
  std::optional<std::uint64_t> waiting;
  std::optional<std::uint64_t> newest;
  for (auto number = table_.newest(event.sighting.key); number; number = table_.older(*number, event.sighting.key)) {
    const FlightRecord& record = table_.at(*number);
    if (record.sent_ns() > event.time_ns) {
      continue;
    }
    if (!newest) {
      newest = number;
    }
    if (record.sent_ns() + timeout_ns_ < event.time_ns) {
      break;  // older ones wait no longer either
    }
    if (record.state == FlightState::awaited) {
      if (waiting) {
        return std::nullopt;
      }
      waiting = number;
    }
  }
  return waiting ? waiting : newest;
}

void ReplyRules::apply_probe(const FlightEvent& event) {
  const Sighting& sighting = event.sighting;
  for (auto number = table_.newest(sighting.key); number; number = table_.older(*number, sighting.key)) {
    FlightRecord& record = table_.at(*number);
    if (!record.has_departed && record.written_ns <= event.time_ns && sighting.evidence.fits(record.token)) {
      record.departure_ns = event.time_ns;
      record.has_departed = true;
      settlement_.note_departure(*number);
      return;
    }
  }
}

void ReplyRules::apply_reset(const FlightEvent& event) {
  if (is_reset_sampled(plan_, static_cast<std::uint16_t>(event.sighting.key.local)) && find(event)) {
    ++counters_.resets_seen;
  }
}

void ReplyRules::count_foreign() {
  // An echo id and sequence that no probe has is another ping's, not a false
  // answer to ours.
  if (plan_.protocol != Protocol::icmp) {
    ++counters_.foreign;
  }
}

void ReplyRules::apply_reply(const FlightEvent& event) {
  const auto number = find(event);
  if (!number) {
    if (plan_.protocol == Protocol::icmp && table_.newest(event.sighting.key)) {
      ++counters_.foreign;
    } else {
      count_foreign();
    }
    return;
  }
  if (event.sighting.reply == ReplyKind::syn_ack && is_reset_sampled(plan_, table_.at(*number).source_port)) {
    ++counters_.resets_expected;
  }
  answer(*number, event, event.sighting.reply);
}

void ReplyRules::answer(std::uint64_t number, const FlightEvent& event, ReplyKind kind) {
  const FlightRecord& record = table_.at(number);
  switch (record.state) {
    case FlightState::awaited:
      answer_awaited(number, event, kind);
      break;
    case FlightState::answered:
      answer_again(record, event, kind);
      break;
    case FlightState::settled:
      answer_settled(number, event, kind);
      break;
  }
}

// DESIGN rule 5 (a): a SYN-ACK that can only be a further copy.
bool ReplyRules::is_resend(const FlightRecord& record, const FlightEvent& event, ReplyKind kind) const {
  return opens_half_ && kind == ReplyKind::syn_ack &&
         windows_.hold(record.key.destination, event.time_ns - record.sent_ns()) &&
         may_be_younger(event.sighting.timestamp, record.reply_timestamp);
}

void ReplyRules::answer_awaited(std::uint64_t number, const FlightEvent& event, ReplyKind kind) {
  FlightRecord& record = table_.at(number);
  if (is_resend(record, event, kind)) {
    record.sign = LossSign::reverse;
    record.has_arrived = true;
    record.reply_timestamp = event.sighting.timestamp;
    ledger_.lost(number);
    ledger_.stray(record.key.destination, StrayKind::syn_ack_resent);
    return;
  }
  if (event.time_ns - record.sent_ns() > timeout_ns_) {
    ledger_.lost(number);
    ledger_.late(number, event);
    return;
  }
  if (const auto rtt_ns = ledger_.answered(number, event, kind)) {
    windows_.note_rtt(record.key.destination, *rtt_ns);
  }
}

void ReplyRules::answer_again(const FlightRecord& record, const FlightEvent& event, ReplyKind kind) {
  const bool is_resent = record.reply == ReplyKind::syn_ack && is_resend(record, event, kind);
  ledger_.stray(record.key.destination, is_resent ? StrayKind::reset_resent : StrayKind::duplicate);
}

void ReplyRules::answer_settled(std::uint64_t number, const FlightEvent& event, ReplyKind kind) {
  FlightRecord& record = table_.at(number);
  const std::uint32_t destination = record.key.destination;
  if (record.verdict != Verdict::lost) {
    ledger_.stray(destination, StrayKind::duplicate);
    return;
  }
  const bool is_first = !record.has_arrived;
  if (is_resend(record, event, kind)) {
    const bool was_late = !is_first && record.sign == LossSign::unsigned_;
    ledger_.stray(destination, was_late ? StrayKind::reset_resent : StrayKind::syn_ack_resent);
    record.has_arrived = true;
    record.reply_timestamp = event.sighting.timestamp;
    if (is_first && record.sign == LossSign::unsigned_) {
      ledger_.reverse(number);
    }
  } else if (is_first && record.sign == LossSign::unsigned_) {
    ledger_.late(number, event);
  } else {
    ledger_.stray(destination, StrayKind::duplicate);
  }
}

// The newest probe of the flow after `after` that can have caused what arrived.
std::optional<std::uint64_t> ReplyRules::newest_sent_before(const FlightEvent& event, std::uint64_t after) const {
  const std::int64_t min_rtt_ns = windows_.min_rtt_ns(event.sighting.key.destination);
  auto number = table_.newest(event.sighting.key);
  while (number && *number > after) {
    if (table_.at(*number).sent_ns() + min_rtt_ns <= event.time_ns) {
      return number;
    }
    number = table_.older(*number, event.sighting.key);
  }
  return std::nullopt;
}

// The target holds a half-open entry of this probe, so its SYN-ACK was sent, and
// did not come.
void ReplyRules::lose_reply(std::uint64_t number) {
  FlightRecord& record = table_.at(number);
  if (record.state == FlightState::awaited) {
    record.sign = LossSign::reverse;
    ledger_.lost(number);
  } else if (record.state == FlightState::answered) {
    // Its SYN-ACK came: our kernel's reset did not arrive there.
    if (record.reply == ReplyKind::syn_ack) {
      ledger_.stray(record.key.destination, StrayKind::reset_resent);
    }
  } else if (record.verdict == Verdict::lost && record.sign == LossSign::unsigned_ && !record.has_arrived) {
    ledger_.reverse(number);
  }
}

// DESIGN rule 5 (b): a challenge ACK (RFC 5961 section 4.2) acknowledges the
// half-open entry's probe, not the one that it answers.
void ReplyRules::apply_acknowledgement(const FlightEvent& event) {
  const auto acknowledged = find(event);
  if (!acknowledged) {
    count_foreign();
    return;
  }
  if (opens_half_ && is_reset_sampled(plan_, table_.at(*acknowledged).source_port)) {
    ++counters_.resets_expected;
  }
  const auto cause = opens_half_ ? newest_sent_before(event, *acknowledged) : std::nullopt;
  if (!cause) {
    answer(*acknowledged, event, ReplyKind::other_tcp);
    return;
  }
  lose_reply(*acknowledged);
  FlightRecord& record = table_.at(*cause);
  if (record.state == FlightState::awaited) {
    if (event.time_ns - record.sent_ns() > timeout_ns_) {
      ledger_.lost(*cause);
      ledger_.late(*cause, event);
    } else {
      ledger_.stale(*cause, event);
    }
  } else if (record.verdict == Verdict::lost && !record.has_arrived && record.sign == LossSign::unsigned_) {
    ledger_.late(*cause, event);
  }
}

void ReplyRules::apply_error(const FlightEvent& event) {
  const auto number = find(event);
  if (!number) {
    count_foreign();
    return;
  }
  FlightRecord& record = table_.at(*number);
  if (record.unreachable != 0 || event.unreachable == 0) {
    return;
  }
  if (record.state == FlightState::awaited) {
    record.unreachable = event.unreachable;  // the timeout makes it a loss, unless the target itself answers
  } else if (record.verdict == Verdict::lost && !record.has_arrived && record.sign == LossSign::unsigned_) {
    ledger_.unreachable(*number, event.unreachable);
  }
}

}  // namespace volley::probe

// Outcomes and amendments. Receiver thread only.
#include "volley/probe/ledger.h"

#include <algorithm>

#include "volley/probe/protocol.h"

namespace volley::probe {

namespace {

// Different ICMP errors that are told apart: more routers than the paths of a run have.
constexpr std::size_t kMostErrors = 4096;

}  // namespace

Ledger::Ledger(const ProbePlan& plan, FlightTable& table, OutcomeSink& sink, std::int64_t start_wall_ns)
    : table_(table),
      sink_(sink),
      start_wall_ns_(start_wall_ns),
      opens_half_(opens_half(plan)),
      next_expected_(plan.destinations.size()) {
  errors_.reserve(kMostErrors);
}

Outcome Ledger::outcome_of(std::uint64_t number, FlightRecord& record, Verdict verdict) {
  record.state = verdict == Verdict::answered ? FlightState::answered : FlightState::settled;
  record.verdict = verdict;
  Outcome outcome;
  outcome.number = number;
  outcome.destination = record.key.destination;
  outcome.source_port = record.source_port;
  outcome.verdict = verdict;
  outcome.departure_seen = record.has_departed;
  outcome.sent_ns = record.sent_ns() - start_wall_ns_;
  outcome.lag_ns = record.lag_ns;
  return outcome;
}

std::optional<std::int64_t> Ledger::answered(std::uint64_t number, const FlightEvent& event, ReplyKind kind) {
  FlightRecord& record = table_.at(number);
  record.has_arrived = true;
  record.reply = kind;
  record.reply_timestamp = event.sighting.timestamp;
  Outcome outcome = outcome_of(number, record, Verdict::answered);
  outcome.reply = kind;
  outcome.reply_ttl = event.ttl;
  outcome.local_queue = event.local_queue;
  const std::int64_t rtt_ns = event.time_ns - record.departure_ns;
  if (outcome.departure_seen && !record.is_clock_stepped && rtt_ns >= 0) {
    outcome.rtt_ns = rtt_ns;
  } else {
    ++answered_without_rtt_;
  }
  // RFC 4737 section 3: out of order if a later probe's reply was here before.
  std::uint64_t& expected = next_expected_[record.key.destination];
  outcome.reordered = number < expected;
  expected = std::max(expected, number + 1);
  sink_.on_outcome(outcome);
  return outcome.rtt_ns;
}

void Ledger::lost(std::uint64_t number) {
  FlightRecord& record = table_.at(number);
  Outcome outcome = outcome_of(number, record, Verdict::lost);
  outcome.sign = record.sign;
  if (record.unreachable != 0) {
    outcome.unreachable = errors_[record.unreachable - 1U];
  }
  if (opens_half_ && record.sign == LossSign::unsigned_ && record.unreachable == 0) {
    record.is_direction_open = true;
    ++open_directions_;
  }
  sink_.on_outcome(outcome);
}

void Ledger::stale(std::uint64_t number, const FlightEvent& event) {
  FlightRecord& record = table_.at(number);
  record.has_arrived = true;
  Outcome outcome = outcome_of(number, record, Verdict::stale_half_open);
  outcome.reply_ttl = event.ttl;
  outcome.local_queue = event.local_queue;
  sink_.on_outcome(outcome);
}

void Ledger::not_sent(std::uint64_t number, NotSentReason reason) {
  Outcome outcome = outcome_of(number, table_.at(number), Verdict::not_sent);
  outcome.not_sent = reason;
  sink_.on_outcome(outcome);
}

void Ledger::in_flight(std::uint64_t number) {
  sink_.on_outcome(outcome_of(number, table_.at(number), Verdict::in_flight));
}

void Ledger::skipped(std::uint32_t destination) {
  Outcome outcome;
  outcome.number = table_.head();
  outcome.destination = destination;
  outcome.verdict = Verdict::not_sent;
  outcome.not_sent = NotSentReason::table_full;
  sink_.on_outcome(outcome);
}

void Ledger::amend(std::uint64_t number, const FlightRecord& record, AmendmentKind kind) {
  Amendment amendment;
  amendment.number = number;
  amendment.destination = record.key.destination;
  amendment.source_port = record.source_port;
  amendment.sent_ns = record.sent_ns() - start_wall_ns_;
  amendment.kind = kind;
  if (kind == AmendmentKind::unreachable && record.unreachable != 0) {
    amendment.unreachable = errors_[record.unreachable - 1U];
  }
  sink_.on_amendment(amendment);
}

void Ledger::late(std::uint64_t number, const FlightEvent& event) {
  FlightRecord& record = table_.at(number);
  record.has_arrived = true;
  record.reply_timestamp = event.sighting.timestamp;
  close_direction(record);
  amend(number, record, AmendmentKind::late);
}

void Ledger::reverse(std::uint64_t number) {
  FlightRecord& record = table_.at(number);
  record.sign = LossSign::reverse;
  close_direction(record);
  amend(number, record, AmendmentKind::reverse);
}

void Ledger::unreachable(std::uint64_t number, std::uint16_t which) {
  FlightRecord& record = table_.at(number);
  record.unreachable = which;
  close_direction(record);
  amend(number, record, AmendmentKind::unreachable);
}

std::uint16_t Ledger::intern(const Unreachable& error) {
  const auto found = std::find(errors_.begin(), errors_.end(), error);
  if (found != errors_.end()) {
    return static_cast<std::uint16_t>(found - errors_.begin() + 1);
  }
  if (errors_.size() == kMostErrors) {
    return 0;
  }
  errors_.push_back(error);
  return static_cast<std::uint16_t>(errors_.size());
}

void Ledger::close_direction(FlightRecord& record) {
  if (record.is_direction_open) {
    record.is_direction_open = false;
    --open_directions_;
  }
}

}  // namespace volley::probe

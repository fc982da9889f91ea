// Writes the verdicts: the only place that gives outcomes, amendments and
// strays to the sink, and changes the state of a record with them.
//
// Invariant: each record gets exactly one outcome; amendments only follow a
// loss. Never allocates, throws or locks after construction. Receiver thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/probe/event_queue.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/outcome_sink.h"
#include "volley/probe/plan.h"

namespace volley::probe {

class Ledger {
 public:
  Ledger(const ProbePlan& plan, FlightTable& table, OutcomeSink& sink, std::int64_t start_wall_ns);

  // --- the outcome of an awaited probe ---
  // Gives the RTT, if one could be told.
  std::optional<std::int64_t> answered(std::uint64_t number, const FlightEvent& event, ReplyKind kind);
  void lost(std::uint64_t number);
  void stale(std::uint64_t number, const FlightEvent& event);
  void not_sent(std::uint64_t number, NotSentReason reason);
  void in_flight(std::uint64_t number);
  // A probe that got no record.
  void skipped(std::uint32_t destination);

  // --- later news of a lost one ---
  void late(std::uint64_t number, const FlightEvent& event);
  void reverse(std::uint64_t number);
  void unreachable(std::uint64_t number, std::uint16_t which);

  void stray(std::uint32_t destination, StrayKind kind) { sink_.on_stray(destination, kind); }

  // The index of an ICMP error for FlightRecord::unreachable and
  // FlightEvent::unreachable; 0 once too many different ones were seen.
  std::uint16_t intern(const Unreachable& error);

  // No more news of this record is waited for.
  void close_direction(FlightRecord& record);
  std::uint64_t open_directions() const { return open_directions_; }

  // The wall clock was set forward by this much.
  void shift_clock(std::int64_t step_ns) { start_wall_ns_ += step_ns; }

  std::uint64_t answered_without_rtt() const { return answered_without_rtt_; }

 private:
  Outcome outcome_of(std::uint64_t number, FlightRecord& record, Verdict verdict);
  void amend(std::uint64_t number, const FlightRecord& record, AmendmentKind kind);

  FlightTable& table_;
  OutcomeSink& sink_;
  std::int64_t start_wall_ns_;
  bool opens_half_;
  std::vector<std::uint64_t> next_expected_;  // by destination: one past the newest probe answered
  std::vector<Unreachable> errors_;
  std::uint64_t open_directions_ = 0;
  std::uint64_t answered_without_rtt_ = 0;
};

}  // namespace volley::probe

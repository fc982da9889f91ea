// The rules of DESIGN section 4 for one event after the other: what an answer
// says about its probe, and about older probes of the same port.
//
// REQUIRES: events in the order of their stamps. Receiver thread only; never
// allocates, throws or locks.
#pragma once

#include <cstdint>
#include <optional>

#include "volley/probe/event_queue.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/half_open.h"
#include "volley/probe/ledger.h"
#include "volley/probe/outcome.h"
#include "volley/probe/plan.h"
#include "volley/probe/settlement.h"

namespace volley::probe {

class ReplyRules {
 public:
  ReplyRules(const ProbePlan& plan, FlightTable& table, Ledger& ledger, Settlement& settlement,
             ReceiveCounters& counters);

  void apply(const FlightEvent& event);

 private:
  void apply_probe(const FlightEvent& event);
  void apply_reset(const FlightEvent& event);
  void apply_reply(const FlightEvent& event);
  void apply_acknowledgement(const FlightEvent& event);
  void apply_error(const FlightEvent& event);

  void answer(std::uint64_t number, const FlightEvent& event, ReplyKind kind);
  void answer_awaited(std::uint64_t number, const FlightEvent& event, ReplyKind kind);
  void answer_again(const FlightRecord& record, const FlightEvent& event, ReplyKind kind);
  void answer_settled(std::uint64_t number, const FlightEvent& event, ReplyKind kind);
  void lose_reply(std::uint64_t number);

  std::optional<std::uint64_t> find(const FlightEvent& event) const;
  std::optional<std::uint64_t> find_by_flow(const FlightEvent& event) const;
  std::optional<std::uint64_t> newest_sent_before(const FlightEvent& event, std::uint64_t after) const;
  bool is_resend(const FlightRecord& record, const FlightEvent& event, ReplyKind kind) const;
  void count_foreign();

  const ProbePlan& plan_;
  FlightTable& table_;
  Ledger& ledger_;
  Settlement& settlement_;
  ReceiveCounters& counters_;
  ResendWindows windows_;
  std::int64_t timeout_ns_;
  bool opens_half_;
};

}  // namespace volley::probe

// Settles what time alone decides: timeouts, probes that never left, records
// that nothing more can come for.
//
// Runs on the stamps of frames only, never on when the program read them: a
// process that was stopped loses nothing by it. Receiver thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/probe/flight_table.h"
#include "volley/probe/ledger.h"
#include "volley/probe/plan.h"

namespace volley::probe {

class Settlement {
 public:
  Settlement(const ProbePlan& plan, FlightTable& table, Ledger& ledger);

  // A probe was seen leaving.
  void note_departure(std::uint64_t number);

  // Every event stamped before `drained_ns` was applied.
  void settle(std::int64_t drained_ns, std::uint64_t capture_dropped);
  void finish(std::int64_t drained_ns, std::uint64_t capture_dropped);

  // The wall clock was set forward by `step_ns` after `before_ns`: moves the
  // records that were written until then onto the new clock.
  void shift_clock(std::int64_t before_ns, std::int64_t step_ns);

  bool is_waiting(std::int64_t now_ns) const;
  std::vector<std::uint64_t> in_flight_by_destination() const;

 private:
  void settle_due(std::int64_t drained_ns);
  void release(std::int64_t drained_ns, std::uint64_t capture_dropped);
  void resolve(std::uint64_t number, std::int64_t drained_ns, std::uint64_t capture_dropped);
  void report_skipped();

  FlightTable& table_;
  Ledger& ledger_;
  std::size_t destinations_;
  std::int64_t timeout_ns_;
  // Every record before it has its outcome, or was not seen leaving in time.
  std::uint64_t due_ = 0;
  std::uint64_t departed_ = 0;             // one past the newest number seen leaving
  std::int64_t longest_departure_ns_ = 0;  // from the write to the sight of it
  std::int64_t wait_until_ns_ = 0;         // for probes that left late, or still may
  std::uint64_t skipped_ = 0;              // reported so far
  std::vector<std::uint64_t> skipped_by_destination_;
};

}  // namespace volley::probe

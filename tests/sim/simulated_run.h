// Runs sender and matcher over the simulated network to the end, as the session
// does with threads and real clocks.
//
// One thread; deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "simulated_network.h"
#include "volley/probe/outcome_sink.h"
#include "volley/probe/plan.h"

namespace volley::sim {

// Everything that the matcher said, and sums of it.
class OutcomeLog final : public probe::OutcomeSink {
 public:
  void on_outcome(const probe::Outcome& outcome) override;
  void on_amendment(const probe::Amendment& amendment) override { amendments.push_back(amendment); }
  void on_stray(std::uint32_t destination, probe::StrayKind kind) override { ++strays[{destination, kind}]; }

  std::uint64_t count(probe::Verdict verdict) const;
  std::uint64_t count(probe::AmendmentKind kind) const;
  std::uint64_t count(probe::StrayKind kind) const;
  std::uint64_t sent() const;  // answered, lost, in flight and stale
  std::uint64_t reverse() const;
  std::uint64_t reordered() const;
  // Amendments that did not follow a loss, and probes with two outcomes.
  std::uint64_t contradictions() const;
  std::vector<std::int64_t> rtts() const;  // ascending

  std::vector<probe::Outcome> outcomes;
  std::vector<probe::Amendment> amendments;
  std::map<std::pair<std::uint32_t, probe::StrayKind>, std::uint64_t> strays;
};

struct RunOptions {
  std::int64_t settle_every_ns = 5 * kMillisecond;
  // The wait for resent SYN-ACKs of lost probes (DESIGN rule 5).
  std::int64_t resend_wait_ns = 3500 * kMillisecond;
  std::int64_t interrupt_at_ns = 0;  // 0: runs to its end
  // Called before each step of the virtual clock, for what a test wants to happen.
  std::function<void(std::int64_t now_ns)> on_tick;
  // The process stands still in this time: nothing is sent or read.
  std::int64_t stall_from_ns = 0;
  std::int64_t stall_to_ns = 0;
  // The wall clock is set forward by this much at that time.
  std::int64_t clock_step_at_ns = 0;
  std::int64_t clock_step_ns = 0;
};

struct RunReport {
  probe::ReceiveCounters counters;
  std::uint64_t begun = 0;
  std::uint64_t schedule_skips = 0;
  std::int64_t ended_ns = 0;  // virtual time since the start
};

RunReport run(const probe::ProbePlan& plan, SimulatedNetwork& network, probe::OutcomeSink& sink,
              const RunOptions& options = {});

}  // namespace volley::sim

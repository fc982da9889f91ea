// Adds up the outcomes of a run: in total, per destination, per source port, per
// remote and local queue and over time. Fixed memory: everything is reserved at
// construction, and nothing grows with the number of probes.
//
// Receiver thread only. The on_ calls neither throw, lock nor allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "volley/probe/outcome_sink.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::stats {

// What only the run itself knows.
struct RunFacts {
  bool interrupted = false;
  std::int64_t started_ns = 0;  // CLOCK_REALTIME
  std::int64_t elapsed_ns = 0;  // whole run, waiting included
  std::int64_t sending_ns = 0;  // from the first to the last probe: the achieved rate's denominator
  std::uint64_t capture_drops = 0;
  std::uint64_t interface_drops = 0;
  probe::ReceiveCounters receive;
  std::vector<std::uint64_t> in_flight;  // per destination; for a snapshot, else empty
};

// For the progress line.
struct Progress {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  std::uint64_t not_sent = 0;
  std::int64_t rtt_p50_ns = 0;  // over all destinations
  std::int64_t rtt_p99_ns = 0;
};

class Aggregator final : public probe::OutcomeSink {
 public:
  // The plan must outlive the aggregator.
  explicit Aggregator(const probe::ProbePlan& plan);
  ~Aggregator() override;
  Aggregator(const Aggregator&) = delete;
  Aggregator& operator=(const Aggregator&) = delete;

  void on_outcome(const probe::Outcome& outcome) override;
  void on_amendment(const probe::Amendment& amendment) override;
  void on_stray(std::uint32_t destination, probe::StrayKind kind) override;

  Progress progress() const;
  // A snapshot, or the final result. Losses without a sign become forward if
  // the destination was seen to resend a SYN-ACK in this run, else unknown; a
  // late reply shows that the probe got there, so late losses stay unknown.
  RunResult result(const RunFacts& facts) const;

  // Reserved at construction; of the histograms only what is used is touched.
  std::size_t memory_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::stats

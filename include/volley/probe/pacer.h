// When the next probe is due: an open loop that never looks at what comes back.
//
// Invariant: probe n is due at t0 + n / rate, computed from n each time, so
// nothing drifts; t0 moves only when this host stood still for so long that
// catching up would be a burst: then the backlog is dropped from the schedule,
// and counted. Pure: time comes in. Sender thread; the two counters any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "volley/probe/plan.h"

namespace volley::probe {

class Pacer {
 public:
  Pacer(const ProbePlan& plan, std::int64_t start_ns);

  // When to call take() again; nullopt once count or duration is reached. With
  // batches that is when the last probe of the batch is due.
  std::optional<std::int64_t> next_due_ns() const;

  // How many probes to send now: at most batch_size(), 0 if none is due. Drops
  // a backlog first.
  std::uint32_t take(std::int64_t now_ns);

  // The probes that take() granted, one after the other: how long after its
  // intended time this one is written; 0 as fast as the machine goes.
  std::int64_t next_lag_ns(std::int64_t now_ns);

  // Below 10,000/s one, above what 100 microseconds of schedule hold, and a full
  // batch as fast as the machine goes.
  std::uint32_t batch_size() const { return batch_size_; }
  static constexpr std::uint32_t kMaxBatch = 64;

  // Times that a backlog was dropped, and how much schedule that was; any thread.
  std::uint64_t skips() const { return skips_.load(std::memory_order_relaxed); }
  std::int64_t skipped_ns() const { return skipped_ns_.load(std::memory_order_relaxed); }

 private:
  std::int64_t due_ns(std::uint64_t number) const;
  bool is_over(std::uint64_t number) const;
  void drop_backlog(std::int64_t now_ns);

  double rate_pps_;
  std::uint64_t limit_;       // probes of the whole run, 0: none
  std::int64_t duration_ns_;  // 0: no limit
  std::int64_t first_ns_;     // where the run began
  std::int64_t start_ns_;     // t0
  std::uint64_t next_ = 0;    // number of the next probe
  bool time_is_up_ = false;   // without a rate: the duration is over
  std::uint32_t batch_size_;
  std::atomic<std::uint64_t> skips_{0};
  std::atomic<std::int64_t> skipped_ns_{0};
};

}  // namespace volley::probe

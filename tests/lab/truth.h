// The ground truth: what the NIC did, counted per direction and queue, as JSON.
//
// Invariant of each queue: in + duplicated = lost + overflowed + written +
// own_drops + waiting. `own_drops` holds what no rule asked for. Plain counters,
// 64-bit; one thread. The JSON's schema is volley.lab/1, see README.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "held_frames.h"
#include "impairment.h"
#include "tap.h"

namespace lab {

struct QueueCounts {
  std::uint64_t in = 0;
  std::uint64_t lost = 0;
  std::uint64_t overflowed = 0;
  std::uint64_t stalled = 0;
  std::uint64_t queued = 0;
  std::uint64_t delayed = 0;
  std::uint64_t reordered = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t written = 0;
  std::uint64_t own_drops = 0;
  std::array<std::uint64_t, kKindCount> kind_in{};
  std::array<std::uint64_t, kKindCount> kind_dropped{};  // lost or overflowed

  void count_judged(Kind kind, std::uint16_t actions);
  std::uint64_t waiting() const { return in + duplicated - lost - overflowed - written - own_drops; }
};

// How late after its deadline each deferred frame was written: the NIC's own
// inaccuracy. 1 us buckets up to 4 ms, above that the maximum stands for all.
class Lateness {
 public:
  void add(Nanoseconds late);
  std::uint64_t count() const { return count_; }
  Nanoseconds max() const { return max_; }
  // Upper edge of the bucket that holds the quantile; 0 without frames.
  Nanoseconds quantile(double q) const;

 private:
  std::array<std::uint64_t, 4096> buckets_{};
  std::uint64_t count_ = 0;
  Nanoseconds max_ = 0;
};

struct DirectionCounts {
  std::vector<QueueCounts> queues;
  QueueCounts untouched;  // not IP, neighbour discovery: passed by
  Lateness lateness;
};

struct TruthView {
  Nanoseconds started = 0;  // wall clock
  Nanoseconds now = 0;      // wall clock
  Nanoseconds wall_minus_monotonic = 0;
  std::uint64_t generation = 1;  // of the rules
  std::array<const DirectionCounts*, 2> directions{};
  std::array<const Impairments*, 2> impairments{};
  std::array<DeviceDrops, 2> devices{};  // target, client
  Nanoseconds cpu = 0;                   // used by this process
};

std::string truth_json(const TruthView& view);

}  // namespace lab

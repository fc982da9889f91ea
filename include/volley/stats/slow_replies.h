// A bounded list of slow replies, for the search for stalls (STATISTICS section 5).
//
// The search wants replies whose excess over the median is above max(2 ms,
// 4 tau), tau = max(0.3 ms, 4 x 1.4826 MAD). SlowFloor keeps a threshold at half
// of that, max(1 ms, 2 tau) above the median so far, so that a final median
// which differs a little loses nothing; half the interquartile range stands for
// the MAD. Of more replies than there is room for, each is kept with the same
// chance, since the largest alone would hide a stall of all queues.
// Receiver thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "volley/stats/histogram.h"
#include "volley/stats/run_result.h"

namespace volley::stats {

// The threshold of one destination; renewed whenever its replies have doubled.
class SlowFloor {
 public:
  // After `rtt` has got a value.
  void update(const Histogram& rtt) {
    if (rtt.count() >= next_update_) renew(rtt);
  }
  std::int64_t floor_ns() const { return floor_ns_; }

 private:
  void renew(const Histogram& rtt);

  static constexpr std::int64_t kLeastExcessNs = 1'000'000;
  std::int64_t floor_ns_ = kLeastExcessNs;
  std::uint64_t next_update_ = 64;
};

class SlowReplies {
 public:
  SlowReplies(std::size_t capacity, std::uint64_t seed);

  std::size_t memory_bytes() const { return capacity_ * sizeof(SlowReply); }
  void record(const SlowReply& reply);
  std::uint64_t seen() const { return seen_; }
  std::vector<SlowReply> by_time_of_sending() const;

 private:
  std::uint64_t random();

  std::size_t capacity_;
  std::uint64_t random_state_;
  std::uint64_t seen_ = 0;
  std::vector<SlowReply> kept_;  // reserved at construction
};

}  // namespace volley::stats

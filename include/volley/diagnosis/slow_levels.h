// The slow end of the replies, cut at a few levels: the slowest half, quarter,
// tenth, and so on, by the thresholds that the statistics kept.
//
// Levels are chosen by the number of slow replies in all, never by where they
// fall, so looking at several costs only the logarithm of their number. Pure;
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "volley/stats/run_result.h"

namespace volley::diagnosis {

// Most levels that choose_slow_levels gives; what a search over them pays for.
inline constexpr std::size_t kSlowLevels = 6;

struct SlowLevel {
  std::int64_t threshold_ns = 0;
  std::uint64_t total = 0;          // replies above it
  std::vector<std::uint64_t> hits;  // of them, for each entry of DestinationResult::ports
};

// From the largest share to the smallest; empty without tails. Thresholds that
// are nearer to the median than a healthy host's queues may be to each other
// are left out. `explained` are replies of this destination that something else
// made slow, as a stall: they count as if they had not been.
std::vector<SlowLevel> choose_slow_levels(const stats::DestinationResult& destination,
                                          const std::vector<stats::SlowReply>& explained);

}  // namespace volley::diagnosis

// Moments at which a part of the target stood still and was then released at
// once: replies to probes of different times that arrive together.
//
// RTT that falls one to one with the time of sending is what no queue that
// drains slowly and no heavy tail makes (STATISTICS section 5). Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace volley::diagnosis {

struct TimedReply {
  std::int64_t sent_ns = 0;
  std::int64_t rtt_ns = 0;
};

struct StallSearch {
  std::int64_t median_ns = 0;            // of all replies
  std::int64_t median_deviation_ns = 0;  // median of the distance from it, or more
  std::uint64_t seed = 0;                // draws the sample where there are too many slow replies
  double log_price = 0.0;
};

struct Stall {
  std::int64_t start_ns = 0;  // by time of sending
  std::int64_t end_ns = 0;
  std::vector<std::size_t> members;  // indices of the replies that were held, by time of sending
  double log_p = 0.0;
};

// Chains with a p-value above it are no stall.
inline constexpr double kStallAlpha = 1e-3;

// `slow` by time of sending: at least all replies that took 2 ms longer than
// the median. Stalls by time, none twice.
std::vector<Stall> find_stalls(std::span<const TimedReply> slow, const StallSearch& search);

struct StallPeriod {
  std::int64_t period_ns = 0;
  double residual = 0.0;  // largest distance of an end from the beat, in periods
};

// nullopt with fewer than four stalls, or where they keep no beat.
std::optional<StallPeriod> find_period(std::span<const Stall> stalls);

}  // namespace volley::diagnosis

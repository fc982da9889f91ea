// The slow replies' threshold and reservoir. Receiver thread only.
//
// Invariant: every reply seen so far is kept with chance min(1, capacity / seen)
// (algorithm R: J. S. Vitter, ACM Trans. Math. Softw. 11, 1985).
#include "volley/stats/slow_replies.h"

#include <algorithm>

namespace volley::stats {

void SlowFloor::renew(const Histogram& rtt) {
  constexpr double kTwoTau = 2.0 * 4.0 * 1.4826;  // of the MAD
  const std::int64_t quartiles = rtt.quantile_ns(kP75) - rtt.quantile_ns(kP25);
  const auto excess = static_cast<std::int64_t>(kTwoTau * static_cast<double>(quartiles) / 2.0);
  floor_ns_ = rtt.quantile_ns(kP50) + std::max(kLeastExcessNs, excess);
  next_update_ = 2 * rtt.count();
}

SlowReplies::SlowReplies(std::size_t capacity, std::uint64_t seed) : capacity_(capacity), random_state_(seed) {
  kept_.reserve(capacity);
}

// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014).
std::uint64_t SlowReplies::random() {
  random_state_ += 0x9e3779b97f4a7c15U;
  std::uint64_t z = random_state_;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

void SlowReplies::record(const SlowReply& reply) {
  ++seen_;
  if (kept_.size() < capacity_) {
    kept_.push_back(reply);
    return;
  }
  // The remainder's bias is below seen / 2^64.
  const std::uint64_t place = random() % seen_;
  if (place < kept_.size()) kept_[place] = reply;
}

std::vector<SlowReply> SlowReplies::by_time_of_sending() const {
  std::vector<SlowReply> sorted = kept_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const SlowReply& a, const SlowReply& b) { return a.sent_ns < b.sent_ns; });
  return sorted;
}

}  // namespace volley::stats

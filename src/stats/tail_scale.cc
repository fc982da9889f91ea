// Places the thresholds; any thread. Invariant: strictly ascending.
#include "volley/stats/tail_scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace volley::stats {

TailScale::TailScale(std::int64_t median_ns) {
  constexpr double kFirstExcess = 1.0 / 64.0;  // of the median
  const std::int64_t median = std::max<std::int64_t>(median_ns, 1);
  thresholds_[0] = median;
  double excess = static_cast<double>(median) * kFirstExcess;
  for (std::size_t i = 1; i < kTailThresholds; ++i) {
    thresholds_[i] = std::max(median + static_cast<std::int64_t>(std::llround(excess)), thresholds_[i - 1] + 1);
    excess *= std::numbers::sqrt2;
  }
}

}  // namespace volley::stats

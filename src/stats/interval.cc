// Wilson's score interval; pure, any thread. Invariant: low <= value <= high.
#include "volley/stats/interval.h"

#include <algorithm>
#include <cmath>

namespace volley::stats {

namespace {
constexpr double kZ95 = 1.959963984540054;  // the normal distribution's 97.5 % point
}

Ratio wilson_95(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return {};
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  constexpr double kZz = kZ95 * kZ95;
  const double shrink = 1.0 + kZz / n;
  const double centre = (p + kZz / (2.0 * n)) / shrink;
  const double half = kZ95 / shrink * std::sqrt(p * (1.0 - p) / n + kZz / (4.0 * n * n));
  // At the ends one limit is the ratio itself; rounding must not move it.
  const double low = hits == 0 ? 0.0 : std::clamp(centre - half, 0.0, p);
  const double high = hits == trials ? 1.0 : std::clamp(centre + half, p, 1.0);
  return {.value = p, .low = low, .high = high};
}

}  // namespace volley::stats

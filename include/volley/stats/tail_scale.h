// Thresholds for the slow end of a distribution, placed by its median.
//
// STATISTICS section 1 wants to know which ports hold the slowest tenth, or
// thousandth, before the whole distribution is known. The first threshold is a
// median taken early; the excess over it goes from 1/64 of the median by half
// octaves to 362 times it, so a queue that is 2 % slower shows as well as one
// that stands still. Immutable once made; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace volley::stats {

inline constexpr std::size_t kTailBins = 32;
inline constexpr std::size_t kTailThresholds = kTailBins - 1;

class TailScale {
 public:
  explicit TailScale(std::int64_t median_ns);

  std::span<const std::int64_t, kTailThresholds> thresholds_ns() const { return thresholds_; }
  // The number of thresholds that the value is above: its bin, 0 to kTailBins - 1.
  std::size_t bin_of(std::int64_t value_ns) const {
    std::size_t bin = 0;
    for (std::size_t step = kTailBins / 2; step > 0; step /= 2) {
      bin += value_ns > thresholds_[bin + step - 1] ? step : 0;
    }
    return bin;
  }

 private:
  std::array<std::int64_t, kTailThresholds> thresholds_;
};

}  // namespace volley::stats

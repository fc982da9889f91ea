// The histogram's reading side: merge, quantiles, moments, shape.
//
// Invariant: the bins of an octave never add up to more than its count; what is
// missing came while the arena had no block. One thread at a time.
#include "volley/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>

namespace volley::stats {

OctaveArena::OctaveArena(unsigned bits, std::size_t blocks) : bits_(bits), blocks_(blocks) {
  if (blocks == 0) return;
  memory_.reset(static_cast<std::uint64_t*>(std::calloc(blocks << bits, sizeof(std::uint64_t))));
  if (memory_ == nullptr) throw std::bad_alloc();
}

std::uint64_t* OctaveArena::take() {
  if (taken_ == blocks_) return nullptr;
  return memory_.get() + (taken_++ << bits_);
}

void OctaveArena::Free::operator()(std::uint64_t* memory) const {
  std::free(memory);
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  count_ += other.count_;
  zeros_ += other.zeros_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  for (unsigned octave = 0; octave < kOctaves; ++octave) {
    if (other.octaves_[octave] == 0) continue;
    octaves_[octave] += other.octaves_[octave];
    const std::uint64_t* from = other.blocks_[octave];
    std::uint64_t*& to = blocks_[octave];
    if (from == nullptr || (to == nullptr && (to = arena_->take()) == nullptr)) {
      unrefined_ += other.octaves_[octave];
      continue;
    }
    for (std::size_t bin = 0; bin < std::size_t{1} << bits_; ++bin) to[bin] += from[bin];
  }
}

std::int64_t Histogram::mean_ns() const {
  if (count_ == 0) return 0;
  return static_cast<std::int64_t>((sum_ + count_ / 2) / count_);
}

std::int64_t Histogram::stddev_ns() const {
  if (count_ == 0) return 0;
  // Exact in integers up to the last division: with m = floor(mean) and
  // r = sum - n m, the squared deviations from m add up to squares - 2 m sum +
  // n m^2 (modulo 2^128, and the true value is far below), and from the mean to
  // r^2 / n less.
  const Wide n = count_;
  const Wide m = sum_ / n;
  const Wide r = sum_ % n;
  const Wide about_m = squares_ - 2 * m * sum_ + n * m * m;
  const long double about_mean =
      static_cast<long double>(about_m) - static_cast<long double>(r * r) / static_cast<long double>(n);
  return std::llround(std::sqrt(std::max(0.0L, about_mean / static_cast<long double>(n))));
}

// The value of the rank-th smallest within an octave, rank from 1.
std::uint64_t Histogram::value_in_octave(unsigned octave, std::uint64_t rank) const {
  const std::uint64_t* block = blocks_[octave];
  std::uint64_t refined = 0;
  if (block != nullptr) {
    const auto bins = static_cast<std::uint32_t>(1U << bits_);
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      refined += block[bin];
      if (refined >= rank) return bin_middle(octave, bin, bits_);
    }
  }
  const double share = (static_cast<double>(rank) - 0.5) / static_cast<double>(octaves_[octave]);
  const auto low = static_cast<double>(std::uint64_t{1} << octave);
  return static_cast<std::uint64_t>(low + low * share);
}

std::int64_t Histogram::quantile_ns(std::uint32_t ppm) const {
  if (count_ == 0) return 0;
  std::uint64_t rank = nearest_rank(count_, ppm);
  if (rank <= 1) return min_ns();
  if (rank >= count_) return max_ns();
  if (rank <= zeros_) return 0;
  unsigned octave = 0;
  while (rank > octaves_[octave]) rank -= octaves_[octave++];
  return static_cast<std::int64_t>(std::clamp(value_in_octave(octave, rank), min_, max_));
}

RttSummary Histogram::summary() const {
  return {.count = count_,
          .min_ns = min_ns(),
          .mean_ns = mean_ns(),
          .stddev_ns = stddev_ns(),
          .p50_ns = quantile_ns(kP50),
          .p90_ns = quantile_ns(kP90),
          .p99_ns = quantile_ns(kP99),
          .p999_ns = quantile_ns(kP999),
          .max_ns = max_ns()};
}

namespace {

// Where a value falls among bins that are equally wide in log(value).
class LogScale {
 public:
  LogScale(std::uint64_t low, std::uint64_t high, unsigned bits)
      : low_(static_cast<double>(low)), span_(std::log(static_cast<double>(high) / low_)) {
    // A bin of the shape narrower than a bin of the histogram would leave gaps.
    const double finest = std::log1p(2.0 * relative_error(bits));
    bins_ = static_cast<std::size_t>(std::clamp(span_ / finest, 1.0, static_cast<double>(kShapeBins)));
  }
  std::size_t bins() const { return bins_; }
  std::size_t bin_of(std::uint64_t value) const {
    if (span_ <= 0.0) return 0;
    const double place = std::log(static_cast<double>(value) / low_) / span_ * static_cast<double>(bins_);
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins_ - 1)));
  }

 private:
  double low_;
  double span_;
  std::size_t bins_;
};

}  // namespace

RttShape Histogram::shape(std::int64_t low_ns, std::int64_t high_ns) const {
  RttShape shape;
  if (count_ == 0) return shape;
  const auto low = static_cast<std::uint64_t>(std::max<std::int64_t>(low_ns, 1));
  const auto high = std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(high_ns, 1)), low);
  const LogScale scale(low, high, bits_);
  shape.low_ns = static_cast<std::int64_t>(low);
  shape.high_ns = static_cast<std::int64_t>(high);
  shape.counts.assign(scale.bins(), 0);
  const auto add = [&](std::uint64_t value, std::uint64_t count) {
    shape.counts[scale.bin_of(std::clamp(value, std::max<std::uint64_t>(min_, 1), std::max<std::uint64_t>(max_, 1)))] +=
        count;
  };
  for (unsigned octave = 0; octave < kOctaves; ++octave) {
    if (octaves_[octave] == 0) continue;
    std::uint64_t refined = 0;
    if (const std::uint64_t* block = blocks_[octave]; block != nullptr) {
      for (std::uint32_t bin = 0; bin < std::uint32_t{1} << bits_; ++bin) {
        if (block[bin] == 0) continue;
        refined += block[bin];
        add(bin_middle(octave, bin, bits_), block[bin]);
      }
    }
    const std::uint64_t rest = octaves_[octave] - refined;
    if (rest > 0) add((std::uint64_t{3} << octave) / 2, rest);
  }
  return shape;
}

}  // namespace volley::stats

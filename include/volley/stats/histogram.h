// A log-linear histogram of times with bounded relative error and exact moments.
//
// Holds 0 ns to 2^40 - 1 ns (18 minutes; greater values count in the last bin,
// while max, mean and stddev stay exact). Each octave has a count; its fine bins
// are a block of counters that is taken from an arena, reserved at construction,
// when the first value falls into the octave. So memory is fixed, and recording
// never allocates. An arena without a block left leaves the octave unrefined:
// counts stay exact, quantiles inside that octave are interpolated, and error()
// tells.
// One thread at a time; the arena is shared by the histograms of one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "volley/stats/log_linear.h"
#include "volley/stats/run_result.h"

namespace volley::stats {

inline constexpr unsigned kTotalBits = 9;      // 512 bins an octave: error below 0.1 %
inline constexpr unsigned kGroupBits = 6;      // 64 bins an octave: error below 0.8 %
inline constexpr unsigned kOctaves = 40;       // up to 2^40 ns
inline constexpr std::size_t kShapeBins = 24;  // of a histogram for the eye

class OctaveArena {
 public:
  // `blocks` octaves of 2^bits bins; kOctaves a histogram can never run out.
  OctaveArena(unsigned bits, std::size_t blocks);

  unsigned bits() const { return bits_; }
  std::size_t memory_bytes() const { return (blocks_ << bits_) * sizeof(std::uint64_t); }
  // A block of zeros, or nullptr when all are taken.
  std::uint64_t* take();

 private:
  struct Free {
    void operator()(std::uint64_t* memory) const;
  };
  unsigned bits_;
  std::size_t blocks_;
  std::size_t taken_ = 0;
  // From calloc: pages that no block uses stay untouched.
  std::unique_ptr<std::uint64_t[], Free> memory_;
};

class Histogram {
 public:
  // The arena must outlive the histogram.
  explicit Histogram(OctaveArena& arena) : arena_(&arena), bits_(arena.bits()) {}
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;
  // The source may only be destroyed afterwards.
  Histogram(Histogram&&) = default;
  Histogram& operator=(Histogram&&) = default;

  // Negative values count as 0.
  void record(std::int64_t value_ns);
  // Requires the same number of bits. Afterwards as if all had been recorded here.
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  std::int64_t min_ns() const { return count_ == 0 ? 0 : static_cast<std::int64_t>(min_); }
  std::int64_t max_ns() const { return static_cast<std::int64_t>(max_); }
  std::int64_t mean_ns() const;    // rounded to the nearest
  std::int64_t stddev_ns() const;  // of the population, as ping's mdev
  // What a quantile may be off by, relative to its true value.
  double error() const { return unrefined_ == 0 ? relative_error(bits_) : kUnrefinedError; }

  // The value of the nearest rank (log_linear.h); lowest and highest rank are
  // exact, others within relative_error(bits). 0 when empty.
  std::int64_t quantile_ns(std::uint32_t ppm) const;
  RttSummary summary() const;
  // Over [min, max], or over given bounds so that several shapes can be
  // compared. Fewer bins where kShapeBins would be finer than the histogram.
  RttShape shape() const { return shape(min_ns(), max_ns()); }
  RttShape shape(std::int64_t low_ns, std::int64_t high_ns) const;

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr double kUnrefinedError = 1.0;  // both anywhere in one octave

  std::uint64_t value_in_octave(unsigned octave, std::uint64_t rank) const;

  OctaveArena* arena_;
  unsigned bits_;
  std::uint64_t count_ = 0;
  std::uint64_t zeros_ = 0;  // they share the bin of one
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
  Wide sum_ = 0;
  Wide squares_ = 0;
  std::uint64_t unrefined_ = 0;                    // values in octaves without a block
  std::array<std::uint64_t, kOctaves> octaves_{};  // exact counts
  std::array<std::uint64_t*, kOctaves> blocks_{};
};

inline void Histogram::record(std::int64_t value_ns) {
  constexpr std::uint64_t kGreatest = (std::uint64_t{1} << kOctaves) - 1U;
  const std::uint64_t value = value_ns < 0 ? 0U : static_cast<std::uint64_t>(value_ns);
  ++count_;
  zeros_ += value == 0 ? 1 : 0;
  sum_ += value;
  squares_ += Wide{value} * value;
  min_ = value < min_ ? value : min_;
  max_ = value > max_ ? value : max_;
  const std::uint64_t binned = value < kGreatest ? value : kGreatest;
  const unsigned octave = octave_of(binned);
  ++octaves_[octave];
  std::uint64_t*& block = blocks_[octave];
  if (block == nullptr && (block = arena_->take()) == nullptr) {
    ++unrefined_;
    return;
  }
  ++block[bin_in_octave(binned, octave, bits_)];
}

}  // namespace volley::stats

// Log-linear bins: each power of two (octave) is cut into 2^bits bins of equal width.
//
// Pure functions; any thread. Invariant: a value and the middle of its bin
// differ by at most 2^-(bits + 1) of the value; values below 2^(bits + 1) have
// bins of their own. Zero shares the bin of one.
#pragma once

#include <bit>
#include <cstdint>

namespace volley::stats {

constexpr unsigned octave_of(std::uint64_t value) {
  return static_cast<unsigned>(std::bit_width(value | 1U)) - 1U;
}

// The `bits` bits below the leading one.
constexpr std::uint32_t bin_in_octave(std::uint64_t value, unsigned octave, unsigned bits) {
  const std::uint64_t mantissa = octave >= bits ? value >> (octave - bits) : value << (bits - octave);
  return static_cast<std::uint32_t>(mantissa & ((std::uint64_t{1} << bits) - 1U));
}

constexpr std::uint64_t bin_low(unsigned octave, std::uint32_t bin, unsigned bits) {
  const std::uint64_t mantissa = (std::uint64_t{1} << bits) | bin;
  return octave >= bits ? mantissa << (octave - bits) : mantissa >> (bits - octave);
}

constexpr std::uint64_t bin_width(unsigned octave, unsigned bits) {
  return octave > bits ? std::uint64_t{1} << (octave - bits) : 1U;
}

constexpr std::uint64_t bin_middle(unsigned octave, std::uint32_t bin, unsigned bits) {
  return bin_low(octave, bin, bits) + (bin_width(octave, bits) - 1U) / 2U;
}

// The greatest distance of a value from the middle of its bin, relative to the value.
constexpr double relative_error(unsigned bits) {
  return 1.0 / static_cast<double>(std::uint64_t{2} << bits);
}

// The rank of a quantile by the nearest-rank definition: the smallest r with
// r >= count x ppm / 10^6, at least 1. Integers alone, so 0.99 of 100 is 99.
constexpr std::uint64_t nearest_rank(std::uint64_t count, std::uint32_t ppm) {
  constexpr std::uint64_t kMillion = 1'000'000;
  // count = whole x 10^6 + rest keeps the product within 64 bits.
  const std::uint64_t whole = count / kMillion;
  const std::uint64_t rest = count % kMillion;
  const std::uint64_t rank = whole * ppm + (rest * ppm + kMillion - 1U) / kMillion;
  return rank == 0 ? 1 : rank;
}

inline constexpr std::uint32_t kP25 = 250'000;
inline constexpr std::uint32_t kP50 = 500'000;
inline constexpr std::uint32_t kP75 = 750'000;
inline constexpr std::uint32_t kP90 = 900'000;
inline constexpr std::uint32_t kP99 = 990'000;
inline constexpr std::uint32_t kP999 = 999'000;

}  // namespace volley::stats

// The seeded generator behind ports, queues and keys: SplitMix64.
//
// A plain value with 64 bits of state: the same seed gives the same draws on
// every machine. It is not for secrets, but for order; what must not be guessed
// goes through probe_id.h. One thread each.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace volley::probe {

// The output function of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words.
constexpr std::uint64_t mix64(std::uint64_t word) {
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

class Generator {
 public:
  explicit constexpr Generator(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio, odd: each state once a period
    return mix64(state_);
  }

  // Uniform over 0 to bound - 1, without the bias of a remainder: the product's
  // low half below 2^32 mod bound is drawn again (Lemire 2019). REQUIRES: bound > 0.
  constexpr std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = (next() >> 32U) * bound;
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t floor = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < floor) product = (next() >> 32U) * bound;
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  std::uint64_t state_;
};

// A random permutation (Fisher, Yates).
template <typename T>
constexpr void shuffle(std::span<T> values, Generator& generator) {
  for (std::size_t left = values.size(); left > 1; --left) {
    const std::size_t pick = generator.below(static_cast<std::uint32_t>(left));
    std::swap(values[left - 1], values[pick]);
  }
}

}  // namespace volley::probe

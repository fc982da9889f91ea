// A small seeded generator for draws and shuffles of diagnosis.
//
// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): a counter through a mixing
// function; any seed is as good as another. One thread a generator.
#pragma once

#include <cstdint>

namespace volley::diagnosis {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }

  // Even over 0 to bound - 1: draws from the uneven rest are thrown away.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t uneven = (0U - bound) % bound;
    std::uint64_t value = next();
    while (value < uneven) value = next();
    return value % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace volley::diagnosis

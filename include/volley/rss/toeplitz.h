// The Toeplitz hash of receive-side scaling, as Microsoft's "RSS Hashing
// Functions" defines it: bit by bit, and by tables.
//
// Invariant: both forms give the same hash for every key and input; it is
// linear over GF(2): H(a) ^ H(b) = H(a ^ b). Pure; any thread. The published
// verification table (8 flows, 2- and 4-tuple) is reproduced by the tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "volley/rss/hash_input.h"

namespace volley::rss {

// The reference: for each input bit that is set, most significant first, the
// 32 bits of the key that begin at that bit's position. Bits beyond the end of
// the key count as zero.
std::uint32_t toeplitz_hash(std::span<const std::uint8_t> key, std::span<const std::uint8_t> input);

// The same by one look-up an input byte; 36 kB, worth it from some 1000 flows
// on. Inputs are at most kMaxHashInputBytes long; what is longer is not hashed.
class ToeplitzTables {
 public:
  explicit ToeplitzTables(std::span<const std::uint8_t> key);

  std::uint32_t hash(std::span<const std::uint8_t> input) const;

 private:
  std::vector<std::array<std::uint32_t, 256>> tables_;  // one for each input byte
};

}  // namespace volley::rss

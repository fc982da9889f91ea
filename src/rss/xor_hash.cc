// The 8-bit XOR hash; see the header. Pure; any thread.
#include "volley/rss/xor_hash.h"

#include <bit>

namespace volley::rss {

std::uint32_t xor_hash(std::span<const std::uint8_t> input) {
  std::uint32_t hash = 0;
  for (const auto byte : input) {
    hash ^= byte;
  }
  return hash;
}

std::size_t xor_table_index(std::uint32_t hash, std::size_t table_size) {
  const auto index_bits = static_cast<unsigned>(std::bit_width(table_size)) - 1U;
  const std::size_t low_byte = hash & 0xffU;
  return index_bits >= kXorHashBits ? low_byte : low_byte >> (kXorHashBits - index_bits);
}

}  // namespace volley::rss

// The Toeplitz hash; see the header. Pure; any thread.
#include "volley/rss/toeplitz.h"

#include <algorithm>

namespace volley::rss {
namespace {

std::uint8_t key_byte(std::span<const std::uint8_t> key, std::size_t index) {
  return index < key.size() ? key[index] : std::uint8_t{0};
}

// Key bits 8 * index to 8 * index + 39, left-aligned in 40 bits.
std::uint64_t key_window(std::span<const std::uint8_t> key, std::size_t index) {
  std::uint64_t window = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    window = (window << 8U) | key_byte(key, index + i);
  }
  return window;
}

// What input byte `value` at position `index` adds to the hash.
std::uint32_t byte_hash(std::uint64_t window, std::uint8_t value) {
  std::uint32_t hash = 0;
  for (unsigned bit = 0; bit < 8; ++bit) {
    if ((value & (0x80U >> bit)) != 0) {
      hash ^= static_cast<std::uint32_t>(window >> (8U - bit));
    }
  }
  return hash;
}

}  // namespace

std::uint32_t toeplitz_hash(std::span<const std::uint8_t> key, std::span<const std::uint8_t> input) {
  std::uint32_t window = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    window = (window << 8U) | key_byte(key, i);
  }
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const unsigned next = key_byte(key, i + 4);
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((input[i] & (0x80U >> bit)) != 0) {
        hash ^= window;
      }
      window = (window << 1U) | ((next >> (7U - bit)) & 1U);
    }
  }
  return hash;
}

ToeplitzTables::ToeplitzTables(std::span<const std::uint8_t> key) : tables_(kMaxHashInputBytes) {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto window = key_window(key, i);
    for (std::size_t value = 0; value < tables_[i].size(); ++value) {
      tables_[i][value] = byte_hash(window, static_cast<std::uint8_t>(value));
    }
  }
}

std::uint32_t ToeplitzTables::hash(std::span<const std::uint8_t> input) const {
  std::uint32_t hash = 0;
  const auto size = std::min(input.size(), tables_.size());
  for (std::size_t i = 0; i < size; ++i) {
    hash ^= tables_[i][input[i]];
  }
  return hash;
}

}  // namespace volley::rss

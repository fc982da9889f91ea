// Big-endian numbers in byte buffers: the only place where bytes are swapped.
//
// Pure; any thread. REQUIRES: offset plus the width of the number <= bytes.size();
// the callers check a whole header once rather than each field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volley::wire {

constexpr std::uint16_t load_be16(std::span<const std::uint8_t> bytes, std::size_t offset = 0) {
  const std::uint8_t* at = bytes.data() + offset;
  return static_cast<std::uint16_t>((at[0] << 8U) | at[1]);
}

constexpr std::uint32_t load_be32(std::span<const std::uint8_t> bytes, std::size_t offset = 0) {
  const std::uint8_t* at = bytes.data() + offset;
  return (std::uint32_t{at[0]} << 24U) | (std::uint32_t{at[1]} << 16U) | (std::uint32_t{at[2]} << 8U) | at[3];
}

constexpr void store_be16(std::span<std::uint8_t> bytes, std::size_t offset, std::uint16_t value) {
  std::uint8_t* at = bytes.data() + offset;
  at[0] = static_cast<std::uint8_t>(value >> 8U);
  at[1] = static_cast<std::uint8_t>(value);
}

constexpr void store_be32(std::span<std::uint8_t> bytes, std::size_t offset, std::uint32_t value) {
  store_be16(bytes, offset, static_cast<std::uint16_t>(value >> 16U));
  store_be16(bytes, offset + 2, static_cast<std::uint16_t>(value));
}

}  // namespace volley::wire

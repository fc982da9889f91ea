// The Internet checksum (RFC 1071) and its incremental update (RFC 1624).
//
// Pure; any thread. Values are in host order: what a header field holds once
// its two bytes are read big-endian.
#pragma once

#include <cstdint>
#include <span>

#include "volley/wire/flow.h"

namespace volley::wire {

// One's complement sum of `bytes` as big-endian words, an odd last byte padded
// with zero; not folded, not complemented; `sum` is a partial sum to go on from.
std::uint64_t checksum_add(std::uint64_t sum, std::span<const std::uint8_t> bytes);

// Folds and complements.
std::uint16_t checksum_finish(std::uint64_t sum);

inline std::uint16_t internet_checksum(std::span<const std::uint8_t> bytes) {
  return checksum_finish(checksum_add(0, bytes));
}

// Partial sum of the pseudo header of TCP, UDP (RFC 9293 section 3.1) and ICMPv6 (RFC 8200 section 8.1).
std::uint64_t pseudo_header_sum(const IpAddress& source, const IpAddress& destination, IpProtocol protocol,
                                std::uint32_t length_bytes);

// RFC 1624 equation 3: HC' = ~(~HC + ~m + m'), for one word that changed from `before` to `after`.
constexpr std::uint16_t checksum_update(std::uint16_t checksum, std::uint16_t before, std::uint16_t after) {
  std::uint32_t sum =
      static_cast<std::uint32_t>(static_cast<std::uint16_t>(~checksum)) + static_cast<std::uint16_t>(~before) + after;
  sum = (sum & 0xffffU) + (sum >> 16U);
  sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(~sum);
}

}  // namespace volley::wire

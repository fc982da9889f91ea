// Changes fields of a finished packet and keeps its checksums right (RFC 1624).
//
// Works on bytes that begin with an IP header; any thread that owns them.
// Invariant: what comes out equals a packet built anew with the new values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/wire/byte_order.h"
#include "volley/wire/checksum.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"

namespace volley::probe {

inline bool is_ipv4_packet(std::span<const std::uint8_t> packet) {
  return packet[wire::kIpv4VersionOffset] >> 4U == 4;
}

// Our own packets have neither IP options nor extension headers.
inline std::size_t transport_offset(std::span<const std::uint8_t> packet) {
  return is_ipv4_packet(packet) ? wire::kIpv4HeaderBytes : wire::kIpv6HeaderBytes;
}

// One word at an even offset, under the checksum at `checksum_offset`.
inline void patch_word(std::span<std::uint8_t> packet, std::size_t offset, std::size_t checksum_offset,
                       std::uint16_t value) {
  const std::uint16_t before = wire::load_be16(packet, offset);
  const std::uint16_t checksum = wire::load_be16(packet, checksum_offset);
  wire::store_be16(packet, checksum_offset, wire::checksum_update(checksum, before, value));
  wire::store_be16(packet, offset, value);
}

inline void patch_double_word(std::span<std::uint8_t> packet, std::size_t offset, std::size_t checksum_offset,
                              std::uint32_t value) {
  patch_word(packet, offset, checksum_offset, static_cast<std::uint16_t>(value >> 16U));
  patch_word(packet, offset + 2, checksum_offset, static_cast<std::uint16_t>(value));
}

// The IPv4 identification; nothing in IPv6.
inline void patch_identification(std::span<std::uint8_t> packet, std::uint16_t identification) {
  if (is_ipv4_packet(packet)) {
    patch_word(packet, wire::kIpv4IdentificationOffset, wire::kIpv4ChecksumOffset, identification);
  }
}

// The sum that a checksum has of the words from `offset` (even) on, `bytes` long;
// a last byte at the packet's end counts as followed by zero.
std::uint64_t range_sum(std::span<const std::uint8_t> packet, std::size_t offset, std::size_t bytes);

// After the range was overwritten in place, brings the checksum from the sum
// before to the one now.
void patch_checksum(std::span<std::uint8_t> packet, std::size_t checksum_offset, std::uint64_t sum_before,
                    std::uint64_t sum_after);

}  // namespace volley::probe

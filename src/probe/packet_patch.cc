// Checksums of ranges that were overwritten. Pure; any thread that owns the bytes.
#include "volley/probe/packet_patch.h"

namespace volley::probe {

namespace {

std::uint16_t folded(std::uint64_t sum) {
  return static_cast<std::uint16_t>(~wire::checksum_finish(sum));
}

}  // namespace

std::uint64_t range_sum(std::span<const std::uint8_t> packet, std::size_t offset, std::size_t bytes) {
  return wire::checksum_add(0, packet.subspan(offset, bytes));
}

void patch_checksum(std::span<std::uint8_t> packet, std::size_t checksum_offset, std::uint64_t sum_before,
                    std::uint64_t sum_after) {
  const std::uint16_t checksum = wire::load_be16(packet, checksum_offset);
  wire::store_be16(packet, checksum_offset, wire::checksum_update(checksum, folded(sum_before), folded(sum_after)));
}

}  // namespace volley::probe

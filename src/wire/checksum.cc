// The Internet checksum (RFC 1071): whole sums; the incremental update is in the header.
//
// Pure; any thread.
#include "volley/wire/checksum.h"

#include <cstddef>

#include "volley/wire/byte_order.h"

namespace volley::wire {

std::uint64_t checksum_add(std::uint64_t sum, std::span<const std::uint8_t> bytes) {
  // Two words at a time: 2^16 is 1 modulo 0xffff, so the folded result is the
  // same (RFC 1071 section 2 C), and 64 bits hold 2^32 such sums.
  std::size_t offset = 0;
  for (; offset + 4 <= bytes.size(); offset += 4) {
    sum += load_be32(bytes, offset);
  }
  if (offset + 2 <= bytes.size()) {
    sum += load_be16(bytes, offset);
    offset += 2;
  }
  if (offset < bytes.size()) {
    sum += static_cast<std::uint64_t>(bytes[offset]) << 8U;
  }
  return sum;
}

std::uint16_t checksum_finish(std::uint64_t sum) {
  while (sum > 0xffffU) {
    sum = (sum & 0xffffU) + (sum >> 16U);
  }
  return static_cast<std::uint16_t>(~sum);
}

std::uint64_t pseudo_header_sum(const IpAddress& source, const IpAddress& destination, IpProtocol protocol,
                                std::uint32_t length_bytes) {
  // Both pseudo headers are the addresses, the length and the protocol number
  // in zeros; they differ in field widths only, which a sum does not see.
  std::uint64_t sum = checksum_add(0, source.bytes());
  sum = checksum_add(sum, destination.bytes());
  return sum + static_cast<std::uint64_t>(protocol) + length_bytes;
}

}  // namespace volley::wire

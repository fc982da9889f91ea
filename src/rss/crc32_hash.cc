// CRC-32 of IEEE 802.3, bit by bit; see the header. Pure; any thread.
#include "volley/rss/crc32_hash.h"

namespace volley::rss {
namespace {

// The polynomial 0x04c11db7 with its bits reversed (IEEE 802.3 section 3.2.9).
constexpr std::uint32_t kReflectedPolynomial = 0xedb88320U;

}  // namespace

std::uint32_t crc32_hash(std::span<const std::uint8_t> input) {
  std::uint32_t crc = 0xffffffffU;
  for (const auto byte : input) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kReflectedPolynomial : 0U);
    }
  }
  return ~crc;
}

}  // namespace volley::rss

// The hash that `ethtool -x` calls "crc32".
//
// Pure; any thread. ena, funeth, mvpp2 and nfp offer a function of this name;
// none publishes polynomial, bit order, start value or final XOR. Taken here is
// the CRC-32 of IEEE 802.3 (reflected, start and final XOR all ones) over the
// same bytes as Toeplitz: not verified on any NIC, so a prediction is to be
// tested. Like every CRC of fixed-length input it is affine over GF(2).
#pragma once

#include <cstdint>
#include <span>

namespace volley::rss {

std::uint32_t crc32_hash(std::span<const std::uint8_t> input);

}  // namespace volley::rss

// The hash that `ethtool -x` calls "xor", as mlx5 has it (INVERTED_XOR8).
//
// Pure; any thread. Known from the driver: the hash has 8 bits, the table at
// most 256 entries, and the driver reverses the bits of the index when it
// fills the hardware's table. Taken from that, not verified on hardware: the
// hash is the XOR of all input bytes and the hardware delivers it with its bits
// reversed, so that the two reversals cancel out and entry XOR8 of the table as
// ethtool shows it is used; a table of 2^k entries, k < 8, then goes by the k
// high bits. mlx4, hns3, hinic and nfp have functions of the same name, whose
// definition is not published: a prediction for them is a guess to be tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace volley::rss {

inline constexpr unsigned kXorHashBits = 8;

// XOR of all bytes, 0 to 255.
std::uint32_t xor_hash(std::span<const std::uint8_t> input);

// The entry of a table of `table_size` (a power of two) entries.
std::size_t xor_table_index(std::uint32_t hash, std::size_t table_size);

}  // namespace volley::rss

// How this room's values are called in texts and in JSON.
//
// Pure; any thread. Numbers have a decimal point whatever the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "volley/rss/config.h"

namespace volley::rss {

// As `ethtool -x` has them: "toeplitz", "xor", "crc32"; "none", "symmetric-xor", ...
std::string_view function_name(HashFunction function);
std::string_view transform_name(InputTransform transform);
// "addresses", "addresses_and_ports", "none".
std::string_view fields_name(HashFields fields);

// "6d:5a:56:...".
std::string hex_bytes(std::span<const std::uint8_t> bytes);
// "0x51ccc178".
std::string hex_hash(std::uint32_t hash);
// "12.5 %", one decimal.
std::string percent(double ratio);
// Ascending numbers as "0-3 5 7".
std::string number_ranges(std::span<const std::size_t> numbers);

// Breaks at blanks so that no line has more than `width` columns, words longer
// than that excepted; lines after the first begin with `indent`.
std::string wrapped(std::string_view text, std::size_t first_column, std::string_view indent, std::size_t width);

}  // namespace volley::rss

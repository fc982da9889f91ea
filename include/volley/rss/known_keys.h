// The hash keys that drivers and libraries ship with, by name.
//
// Pure; any thread. Names are lower case and never change: users give them to
// --rss-key. Keys are as the driver shows them, first byte first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace volley::rss {

struct KnownKey {
  std::string_view name;
  std::span<const std::uint8_t> bytes;
  std::string_view users;  // the drivers that have it as their default
};

// All published keys, the most widespread first; each at least 40 bytes long.
std::span<const KnownKey> known_keys();

// nullptr if there is none of that name.
const KnownKey* find_known_key(std::string_view name);

// The name of the published key whose 40 bytes `key` begins with (what follows
// them no hash input reaches); empty if there is none.
std::string name_of_key(std::span<const std::uint8_t> key);

// True for a key with a period of 16 bits: the hash is then the same for both
// directions of a flow.
bool is_symmetric_key(std::span<const std::uint8_t> key);

// A key that was given as text.
struct ParsedKey {
  std::vector<std::uint8_t> bytes;
  std::string name;  // of a published key, else empty

  friend bool operator==(const ParsedKey&, const ParsedKey&) = default;
};

// Hexadecimal bytes with colons between them or without any, or the name of a
// published key; spaces around it don't count. At least 40 bytes, at most
// kMaxKeyBytes. The string of the result says what is wrong with the text.
std::variant<ParsedKey, std::string> parse_key(std::string_view text);

// The bytes alone, of any length, without blanks; empty if it is not
// hexadecimal bytes. For callers that have better words for an error.
std::vector<std::uint8_t> parse_hex_key(std::string_view text);

inline constexpr std::size_t kMinKeyBytes = 40;
// The kernel's NETDEV_RSS_KEY_LEN is 52 (256 in later trees); no NIC has more.
inline constexpr std::size_t kMaxKeyBytes = 256;

}  // namespace volley::rss

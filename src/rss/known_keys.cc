// The published keys; see the header. Constants only; any thread.
#include "volley/rss/known_keys.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "volley/rss/text_lines.h"

namespace volley::rss {
namespace {

using KeyBytes = std::array<std::uint8_t, kMinKeyBytes>;

// A hexadecimal constant of this file; anything else fails to compile.
consteval KeyBytes key_of(std::string_view hex) {
  KeyBytes key{};
  if (hex.size() != 2 * key.size()) {
    throw "a key has 40 bytes";
  }
  const auto digit = [](char c) -> unsigned {
    if (c >= '0' && c <= '9') {
      return static_cast<unsigned>(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
      return static_cast<unsigned>(c - 'a') + 10U;
    }
    throw "not a hexadecimal digit";
  };
  for (std::size_t i = 0; i < key.size(); ++i) {
    key[i] = static_cast<std::uint8_t>(digit(hex[2 * i]) << 4U | digit(hex[2 * i + 1]));
  }
  return key;
}

// Microsoft, "Verifying the RSS Hash Calculation".
constexpr KeyBytes kMicrosoft = key_of(
    "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b4"
    "77cb2da38030f20c6a42b73bbeac01fa");
constexpr KeyBytes kSymmetric = key_of(
    "6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a"
    "6d5a6d5a6d5a6d5a6d5a6d5a6d5a6d5a");
constexpr KeyBytes kDpdkMlx5 = key_of(
    "2cc681d15bdbf4f7fca28319db1a3e946b9e38d92c9c03d1"
    "ad9944a7d9563d59063c25f3fc1fdc2a");
constexpr KeyBytes kAtlantic = key_of(
    "1ead718765fc267d0d456774cd061a18b6c1f0c7bb18bef8"
    "19134ba9d03efe702503ab506a8b820c");
constexpr KeyBytes kEnaFixed = key_of(
    "beac01fa6a42b73b8030f20c77cb2da3ae7b30b4d0ca2bcb"
    "43a38fb04167253d255b0ec26d5a56da");

constexpr std::array<KnownKey, 5> kKnownKeys{{
    {"microsoft", kMicrosoft, "hv_netvsc, hns3; in DPDK ixgbe, igb, igc, virtio, vmxnet3, nfp and more"},
    {"symmetric-6d5a", kSymmetric, "ionic and sfc in DPDK, and whoever wants both directions on one queue"},
    {"dpdk-mlx5", kDpdkMlx5, "mlx5, netvsc and tap in DPDK"},
    {"atlantic", kAtlantic, "atlantic, in Linux and in DPDK"},
    {"ena-fixed", kEnaFixed, "EC2 instances whose key can't be set"},
}};

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const auto lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string known_names() {
  std::string names;
  for (const auto& known : kKnownKeys) {
    names += names.empty() ? "" : ", ";
    names += known.name;
  }
  return names;
}

}  // namespace

std::span<const KnownKey> known_keys() {
  return kKnownKeys;
}

const KnownKey* find_known_key(std::string_view name) {
  const auto* found =
      std::find_if(kKnownKeys.begin(), kKnownKeys.end(), [name](const KnownKey& known) { return known.name == name; });
  return found == kKnownKeys.end() ? nullptr : found;
}

std::string name_of_key(std::span<const std::uint8_t> key) {
  if (key.size() < kMinKeyBytes) {
    return {};
  }
  for (const auto& known : kKnownKeys) {
    // A longer key agrees in what a hash of 36 bytes can reach.
    if (std::equal(known.bytes.begin(), known.bytes.end(), key.begin())) {
      return std::string(known.name);
    }
  }
  return {};
}

bool is_symmetric_key(std::span<const std::uint8_t> key) {
  if (key.size() < kMinKeyBytes) {
    return false;
  }
  const auto reach = key.first(kMinKeyBytes);
  return std::equal(reach.begin() + 2, reach.end(), reach.begin());
}

std::vector<std::uint8_t> parse_hex_key(std::string_view text) {
  std::vector<std::uint8_t> key;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!key.empty() && text[at] == ':') {
      ++at;
    }
    if (at + 2 > text.size()) {
      return {};
    }
    const int high = hex_digit(text[at]);
    const int low = hex_digit(text[at + 1]);
    if (high < 0 || low < 0) {
      return {};
    }
    key.push_back(static_cast<std::uint8_t>(high * 16 + low));
    at += 2;
  }
  return key;
}

std::variant<ParsedKey, std::string> parse_key(std::string_view text) {
  text = trimmed(text);
  if (const auto* known = find_known_key(text)) {
    return ParsedKey{{known->bytes.begin(), known->bytes.end()}, std::string(known->name)};
  }
  auto key = parse_hex_key(text);
  if (key.empty()) {
    return in_quotes(text) + " is neither hexadecimal bytes nor one of " + known_names();
  }
  if (key.size() < kMinKeyBytes || key.size() > kMaxKeyBytes) {
    return "a key of " + std::to_string(key.size()) + (key.size() == 1 ? " byte" : " bytes") + ", and a key has " +
           std::to_string(kMinKeyBytes) + " to " + std::to_string(kMaxKeyBytes);
  }
  auto name = name_of_key(key);
  return ParsedKey{std::move(key), std::move(name)};
}

}  // namespace volley::rss

// Hash, table and the text of `ethtool -x`. Any thread; no state.
#include "rss.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <random>
#include <stdexcept>

namespace lab {
namespace {

constexpr std::size_t kKeyBytes = 40;         // what most NICs have
constexpr std::size_t kLongestKeyBytes = 64;  // beyond any known NIC's (52)
constexpr std::size_t kLongestInput = 36;     // IPv6 with ports
constexpr std::size_t kLargestTable = 8192;
constexpr std::size_t kEntriesPerLine = 8;

std::uint8_t hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return static_cast<std::uint8_t>(c - '0');
  }
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') {
    return static_cast<std::uint8_t>(lower - 'a' + 10);
  }
  throw std::invalid_argument(std::string("key: '") + c + "' is not a hexadecimal digit");
}

std::vector<std::uint8_t> random_key(std::string_view seed_text) {
  std::size_t used = 0;
  unsigned long long seed = 0;
  try {
    seed = std::stoull(std::string(seed_text), &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != seed_text.size()) {
    throw std::invalid_argument("key: random: needs a number as seed");
  }
  std::mt19937_64 generator(seed);
  std::vector<std::uint8_t> key(kKeyBytes);
  std::generate(key.begin(), key.end(), [&] { return static_cast<std::uint8_t>(generator() >> 56U); });
  return key;
}

}  // namespace

std::uint32_t toeplitz(std::span<const std::uint8_t> key, std::span<const std::uint8_t> input) {
  std::uint32_t hash = 0;
  std::uint64_t window = 0;  // its lowest 40 bits: the key from byte i on
  for (std::size_t i = 0; i < 4; ++i) {
    window = window << 8U | key[i];
  }
  for (std::size_t i = 0; i < input.size(); ++i) {
    window = window << 8U | key[i + 4];
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((input[i] & (0x80U >> bit)) != 0) {
        hash ^= static_cast<std::uint32_t>(window >> (8U - bit));
      }
    }
  }
  return hash;
}

std::uint32_t hash_of(const RssConfig& config, const FrameFacts& facts) {
  std::array<std::uint8_t, kLongestInput> input{};
  const std::size_t address = facts.ip_version == 4 ? 4 : 16;
  auto end = std::copy_n(facts.source.begin(), address, input.begin());
  end = std::copy_n(facts.destination.begin(), address, end);
  if (facts.has_ports && (facts.kind != Kind::udp || config.udp == UdpHash::addresses_and_ports)) {
    for (const std::uint16_t port : {facts.source_port, facts.destination_port}) {
      *end++ = static_cast<std::uint8_t>(port >> 8U);
      *end++ = static_cast<std::uint8_t>(port & 0xffU);
    }
  }
  return toeplitz(config.key, std::span(input.begin(), end));
}

QueueId queue_of(const RssConfig& config, const FrameFacts& facts) {
  if (facts.kind == Kind::untouched) {
    return 0;
  }
  return config.table[hash_of(config, facts) & (config.table.size() - 1)];
}

std::vector<std::uint8_t> parse_key(std::string_view text) {
  constexpr std::string_view kRandom = "random:";
  if (text.substr(0, kRandom.size()) == kRandom) {
    return random_key(text.substr(kRandom.size()));
  }
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != ':'; });
  if (digits.size() % 2 != 0 || digits.size() < 2 * kKeyBytes || digits.size() > 2 * kLongestKeyBytes) {
    throw std::invalid_argument("key: needs 40 to 64 bytes in hexadecimal, or random:SEED");
  }
  std::vector<std::uint8_t> key;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    key.push_back(static_cast<std::uint8_t>(hex_digit(digits[i]) << 4U | hex_digit(digits[i + 1])));
  }
  return key;
}

std::vector<QueueId> make_table(std::size_t size, std::size_t queues, Fill fill) {
  if (!std::has_single_bit(size) || size > kLargestTable) {
    throw std::invalid_argument("table: size must be a power of two, 1 to 8192");
  }
  if (queues == 0 || queues > size) {
    throw std::invalid_argument("queues: needs 1 to as many as the table has entries");
  }
  std::vector<QueueId> table(size);
  for (std::size_t i = 0; i < size; ++i) {
    table[i] = static_cast<QueueId>(fill == Fill::modulo ? i % queues : i * queues / size);
  }
  return table;
}

std::string ethtool_text(std::string_view device, const RssConfig& config) {
  std::array<char, 32> piece{};
  const auto append = [&](std::string& to, const char* format, unsigned value) {
    std::snprintf(piece.data(), piece.size(), format, value);
    to += piece.data();
  };
  const unsigned rings = 1U + *std::max_element(config.table.begin(), config.table.end());
  std::string text =
      "RX flow hash indirection table for " + std::string(device) + " with " + std::to_string(rings) + " RX ring(s):\n";
  for (std::size_t i = 0; i < config.table.size(); ++i) {
    if (i % kEntriesPerLine == 0) {
      append(text, "%5u: ", static_cast<unsigned>(i));
    }
    append(text, " %5u", config.table[i]);
    if (i % kEntriesPerLine == kEntriesPerLine - 1 || i + 1 == config.table.size()) {
      text += '\n';
    }
  }
  text += "RSS hash key:\n";
  for (std::size_t i = 0; i < config.key.size(); ++i) {
    append(text, i == 0 ? "%02x" : ":%02x", config.key[i]);
  }
  text += "\nRSS hash function:\n    toeplitz: on\n    xor: off\n    crc32: off\n";
  return text;
}

}  // namespace lab

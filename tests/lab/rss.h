// Receive-side scaling as the software NIC does it: hash, table, queue.
//
// Plain values and pure functions, any thread. This Toeplitz is the lab's own
// (Microsoft, "RSS Hashing Functions"), so that it can contradict the product's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frame.h"

namespace lab {

using QueueId = std::uint16_t;

enum class Fill : std::uint8_t {
  modulo,  // entry i holds i % queues, as most drivers do
  block,   // entry i holds i * queues / size, contiguous, as igb and igc do
};

enum class UdpHash : std::uint8_t { addresses, addresses_and_ports };

struct RssConfig {
  std::vector<std::uint8_t> key;
  std::vector<QueueId> table;  // size a power of two
  UdpHash udp = UdpHash::addresses_and_ports;
};

// Needs a key of input.size() + 4 bytes.
std::uint32_t toeplitz(std::span<const std::uint8_t> key, std::span<const std::uint8_t> input);

// The hash of a frame as its receiver sees it: addresses and ports for whole
// TCP and (if so configured) UDP packets, addresses alone for any other.
std::uint32_t hash_of(const RssConfig& config, const FrameFacts& facts);

// The receive queue; 0 for what is not IP or is untouched.
QueueId queue_of(const RssConfig& config, const FrameFacts& facts);

// "random:SEED" (40 bytes, the same for the same seed) or hexadecimal digits,
// colons allowed, 40 to 64 bytes. Throws std::invalid_argument.
std::vector<std::uint8_t> parse_key(std::string_view text);

// Throws std::invalid_argument unless size is a power of two up to 8192 and
// queues is 1 to size.
std::vector<QueueId> make_table(std::size_t size, std::size_t queues, Fill fill);

// What `ethtool -x DEVICE` would print for this NIC.
std::string ethtool_text(std::string_view device, const RssConfig& config);

}  // namespace lab

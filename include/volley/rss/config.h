// The receive-side scaling of one NIC: which queue a flow lands on.
//
// A plain value, immutable once made; any thread. Queue = table[hash & (size-1)].
// Facts and sources of each function stand in its own header (toeplitz.h, ...).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volley/wire/flow.h"

namespace volley::rss {

using QueueId = std::uint16_t;

enum class HashFunction : std::uint8_t { toeplitz, xor8, crc32 };

// Linux's RXH_XFRM_* (Documentation/networking/scaling.rst): applied to the
// hash input before the function.
enum class InputTransform : std::uint8_t { none, symmetric_xor, symmetric_or_xor };

// Which fields go into the hash, for each protocol; ICMP never has ports.
enum class HashFields : std::uint8_t { addresses, addresses_and_ports };

struct RssConfig {
  HashFunction function = HashFunction::toeplitz;
  InputTransform transform = InputTransform::none;
  std::vector<std::uint8_t> key;   // 40 or 52 bytes for Toeplitz; other functions may have none
  std::uint32_t initial_hash = 0;  // XORed into the result (ENA uses all ones)
  std::vector<QueueId> table;      // indirection table, size a power of two, 1 to 8192
  HashFields tcp_fields = HashFields::addresses_and_ports;
  HashFields udp_fields = HashFields::addresses_and_ports;
  std::string key_name;  // of a published key, else empty

  friend bool operator==(const RssConfig&, const RssConfig&) = default;

  // One more than the highest queue in the table; 0 for an empty table.
  std::size_t queue_count() const;
};

// The 32-bit hash that the NIC computes for the packets of `flow`, as the
// receiver sees them (source = the sender of the probe).
// Requires a key of sufficient length for Toeplitz: 16 bytes for IPv4 with
// ports, 40 for IPv6 with ports.
std::uint32_t hash_of(const RssConfig& config, const wire::Flow& flow);

QueueId queue_of(const RssConfig& config, const wire::Flow& flow);

}  // namespace volley::rss

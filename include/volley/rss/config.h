// The receive-side scaling of one NIC: which queue a flow lands on.
//
// A plain value, immutable once made; any thread. Queue = table[hash & (size-1)].
// Facts and sources of each function stand in its own header (toeplitz.h, ...).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
// `none`: the NIC does not hash the protocol, its packets carry hash 0.
enum class HashFields : std::uint8_t { addresses, addresses_and_ports, none };

struct RssConfig {
  HashFunction function = HashFunction::toeplitz;
  InputTransform transform = InputTransform::none;
  std::vector<std::uint8_t> key{};  // 40 or 52 bytes for Toeplitz; other functions may have none
  std::uint32_t initial_hash = 0;   // XORed into the result (ENA uses all ones)
  std::vector<QueueId> table{};     // indirection table, size a power of two, 1 to 8192
  HashFields tcp_fields = HashFields::addresses_and_ports;
  HashFields udp_fields = HashFields::addresses_and_ports;
  std::string key_name{};  // of a published key, else empty
  // Over IPv6, where it differs from IPv4; nullopt: as the two above.
  std::optional<HashFields> tcp6_fields{};
  std::optional<HashFields> udp6_fields{};

  friend bool operator==(const RssConfig&, const RssConfig&) = default;

  // One more than the highest queue in the table; 0 for an empty table.
  std::size_t queue_count() const;
};

// Why no queue can be computed with it (no key, a key too short for IPv6, a
// table whose size is no power of two, ...), as one plain phrase; empty if it can.
std::string why_unusable(const RssConfig& config);

// The fields that the NIC hashes for packets of `protocol` and `family`.
HashFields hash_fields(const RssConfig& config, wire::IpProtocol protocol, wire::IpFamily family);

// The 32-bit hash that the NIC computes for the packets of `flow`, as the
// receiver sees them (source = the sender of the probe). xor8 gives 8 bits.
// Requires a key of sufficient length for Toeplitz: 16 bytes for IPv4 with
// ports, 40 for IPv6 with ports; bits beyond the key's end count as zero.
// For many flows see flow_hasher.h, which gives the same faster.
std::uint32_t hash_of(const RssConfig& config, const wire::Flow& flow);

// The entry of a table of `table_size` entries (a power of two) that `hash`
// picks: its low bits (of xor8 in a table under 256 entries its high bits, see
// xor_hash.h).
std::size_t table_index(HashFunction function, std::uint32_t hash, std::size_t table_size);

// Queue 0 if the table is empty.
QueueId queue_of(const RssConfig& config, const wire::Flow& flow);

}  // namespace volley::rss

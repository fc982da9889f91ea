// The bytes that a NIC hashes for a flow: addresses and ports as they stand in
// the headers, after the input transformation.
//
// Invariant: `size` bytes are set, source and destination address first, then
// both ports, in network order. A plain value; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "volley/rss/config.h"
#include "volley/wire/flow.h"

namespace volley::rss {

// Two IPv6 addresses and two ports.
inline constexpr std::size_t kMaxHashInputBytes = 36;

struct HashInput {
  std::array<std::uint8_t, kMaxHashInputBytes> bytes{};
  std::size_t size = 0;

  std::span<const std::uint8_t> view() const { return std::span<const std::uint8_t>(bytes).first(size); }
};

// Empty for HashFields::none. Under symmetric_xor the input is (SA^DA, SA^DA,
// SP^DP, SP^DP), under symmetric_or_xor (SA|DA, SA^DA, SP|DP, SP^DP).
HashInput make_hash_input(const wire::Flow& flow, HashFields fields, InputTransform transform);

}  // namespace volley::rss

// The 4-byte address family in front of BSD loopback captures (DLT_NULL, DLT_LOOP).
//
// Pure reader; never reads outside the span. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "volley/wire/ethernet.h"

namespace volley::wire {

inline constexpr std::size_t kLoopbackHeaderBytes = 4;

// The family in either byte order: DLT_NULL has the capturing host's, which a
// file doesn't tell, and families are small numbers, so the order shows.
// The payload's ethertype is 0 for a family that isn't IP. nullopt if cut short.
std::optional<LinkPayload> read_loopback(std::span<const std::uint8_t> frame);

}  // namespace volley::wire

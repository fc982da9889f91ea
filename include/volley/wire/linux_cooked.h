// The headers of Linux cooked captures, versions 1 and 2 (LINKTYPE_LINUX_SLL, LINKTYPE_LINUX_SLL2).
//
// Pure readers and layout constants; never reads outside the span. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "volley/wire/ethernet.h"
#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kCookedV1HeaderBytes = 16;
inline constexpr std::size_t kCookedV1PacketTypeOffset = 0;
inline constexpr std::size_t kCookedV1HardwareTypeOffset = 2;
inline constexpr std::size_t kCookedV1ProtocolOffset = 14;

inline constexpr std::size_t kCookedV2HeaderBytes = 20;
inline constexpr std::size_t kCookedV2ProtocolOffset = 0;
inline constexpr std::size_t kCookedV2InterfaceIndexOffset = 4;
inline constexpr std::size_t kCookedV2HardwareTypeOffset = 8;
inline constexpr std::size_t kCookedV2PacketTypeOffset = 10;
inline constexpr std::size_t kCookedV2AddressLengthOffset = 11;
inline constexpr std::size_t kCookedV2AddressOffset = 12;

// Packet types of both versions. All but the last came in.
inline constexpr std::uint8_t kCookedToUs = 0;
inline constexpr std::uint8_t kCookedBroadcast = 1;
inline constexpr std::uint8_t kCookedMulticast = 2;
inline constexpr std::uint8_t kCookedToOthers = 3;
inline constexpr std::uint8_t kCookedSentByUs = 4;

// nullopt if the header (or a VLAN tag behind it) is cut short.
std::optional<LinkPayload> read_cooked_v1(std::span<const std::uint8_t> frame, LinkInfo& link);
std::optional<LinkPayload> read_cooked_v2(std::span<const std::uint8_t> frame, LinkInfo& link);

}  // namespace volley::wire

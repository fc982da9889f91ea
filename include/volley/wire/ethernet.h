// The Ethernet header with any 802.1Q and 802.1ad tags.
//
// Pure readers and layout constants; never reads outside the span. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "volley/wire/packet.h"

namespace volley::wire {

inline constexpr std::size_t kEthernetHeaderBytes = 14;
inline constexpr std::size_t kEthernetDestinationOffset = 0;
inline constexpr std::size_t kEthernetSourceOffset = 6;
inline constexpr std::size_t kEthernetTypeOffset = 12;
inline constexpr std::size_t kVlanTagBytes = 4;
inline constexpr std::uint16_t kVlanIdMask = 0x0fff;
// More tags than any network stacks; a frame with more is left alone.
inline constexpr std::size_t kMaxVlanTags = 8;

// Ethertypes (IEEE 802 numbers).
inline constexpr std::uint16_t kEthertypeIpv4 = 0x0800;
inline constexpr std::uint16_t kEthertypeIpv6 = 0x86dd;
inline constexpr std::uint16_t kEthertypeVlan = 0x8100;          // 802.1Q
inline constexpr std::uint16_t kEthertypeProviderVlan = 0x88a8;  // 802.1ad
inline constexpr std::uint16_t kEthertypeOldQinq = 0x9100;       // in use before 802.1ad

// What a link header leaves: the network protocol and its bytes.
struct LinkPayload {
  std::uint16_t ethertype = 0;
  std::span<const std::uint8_t> bytes;
};

// Takes VLAN tags off the front of `payload` and notes the outermost id in
// `link`. nullopt if a tag is cut short.
std::optional<LinkPayload> strip_vlan_tags(LinkPayload payload, LinkInfo& link);

// nullopt if the header or a tag is cut short.
std::optional<LinkPayload> read_ethernet(std::span<const std::uint8_t> frame, LinkInfo& link);

}  // namespace volley::wire

// Reads the headers of Linux cooked captures.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/linux_cooked.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

FrameDirection direction_of(std::uint16_t packet_type) {
  if (packet_type == kCookedSentByUs) {
    return FrameDirection::outgoing;
  }
  return packet_type <= kCookedToOthers ? FrameDirection::incoming : FrameDirection::unknown;
}

}  // namespace

std::optional<LinkPayload> read_cooked_v1(std::span<const std::uint8_t> frame, LinkInfo& link) {
  if (frame.size() < kCookedV1HeaderBytes) {
    return std::nullopt;
  }
  link.direction = direction_of(load_be16(frame, kCookedV1PacketTypeOffset));
  // The capture library puts a tag that the kernel took aside back behind the
  // header, with the tag's ethertype as the protocol.
  return strip_vlan_tags({load_be16(frame, kCookedV1ProtocolOffset), frame.subspan(kCookedV1HeaderBytes)}, link);
}

std::optional<LinkPayload> read_cooked_v2(std::span<const std::uint8_t> frame, LinkInfo& link) {
  if (frame.size() < kCookedV2HeaderBytes) {
    return std::nullopt;
  }
  link.direction = direction_of(frame[kCookedV2PacketTypeOffset]);
  link.interface_index = load_be32(frame, kCookedV2InterfaceIndexOffset);
  return strip_vlan_tags({load_be16(frame, kCookedV2ProtocolOffset), frame.subspan(kCookedV2HeaderBytes)}, link);
}

}  // namespace volley::wire

// Reads Ethernet headers and VLAN tags.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/ethernet.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

bool is_vlan_ethertype(std::uint16_t ethertype) {
  return ethertype == kEthertypeVlan || ethertype == kEthertypeProviderVlan || ethertype == kEthertypeOldQinq;
}

}  // namespace

std::optional<LinkPayload> strip_vlan_tags(LinkPayload payload, LinkInfo& link) {
  for (std::size_t tag = 0; tag < kMaxVlanTags && is_vlan_ethertype(payload.ethertype); ++tag) {
    if (payload.bytes.size() < kVlanTagBytes) {
      return std::nullopt;
    }
    if (tag == 0) {
      link.vlan_id = load_be16(payload.bytes) & kVlanIdMask;
    }
    payload.ethertype = load_be16(payload.bytes, 2);
    payload.bytes = payload.bytes.subspan(kVlanTagBytes);
  }
  return payload;
}

std::optional<LinkPayload> read_ethernet(std::span<const std::uint8_t> frame, LinkInfo& link) {
  if (frame.size() < kEthernetHeaderBytes) {
    return std::nullopt;
  }
  return strip_vlan_tags({load_be16(frame, kEthernetTypeOffset), frame.subspan(kEthernetHeaderBytes)}, link);
}

}  // namespace volley::wire

// Writes the Linux cooked v2 header.
//
// Pure; any thread.
#include "volley/wire/encode.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

std::array<std::uint8_t, kCookedV2HeaderBytes> encode_cooked_v2(const CookedV2Header& header) {
  std::array<std::uint8_t, kCookedV2HeaderBytes> bytes{};
  store_be16(bytes, kCookedV2ProtocolOffset, header.family == IpFamily::v6 ? kEthertypeIpv6 : kEthertypeIpv4);
  store_be32(bytes, kCookedV2InterfaceIndexOffset, header.interface_index);
  store_be16(bytes, kCookedV2HardwareTypeOffset, header.hardware_type);
  bytes[kCookedV2PacketTypeOffset] = header.direction == FrameDirection::outgoing ? kCookedSentByUs : kCookedToUs;
  return bytes;
}

}  // namespace volley::wire

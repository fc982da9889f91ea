// Writes the Linux cooked v2 header in front of packets that go into a capture file.
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>

#include "volley/wire/linux_cooked.h"
#include "volley/wire/packet.h"

namespace volley::wire {

struct CookedV2Header {
  IpFamily family = IpFamily::v4;  // of the packet that follows
  FrameDirection direction = FrameDirection::unknown;
  std::uint32_t interface_index = 0;
  std::uint16_t hardware_type = 0;  // the interface's ARPHRD_ number
};

// No link-layer address is recorded. An unknown direction is written as
// incoming, since the format has no word for it.
std::array<std::uint8_t, kCookedV2HeaderBytes> encode_cooked_v2(const CookedV2Header& header);

}  // namespace volley::wire

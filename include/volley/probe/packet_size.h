// How many bytes a probe has, before it is built.
//
// Pure; any thread.
#pragma once

#include <cstddef>

#include "volley/probe/plan.h"

namespace volley::probe {

inline constexpr std::size_t kDefaultUdpPayloadBytes = 16;
inline constexpr std::size_t kDefaultIcmpPayloadBytes = 56;  // what ping sends: a packet of 84 bytes
inline constexpr std::size_t kProbeIdBytes = 4;
inline constexpr std::size_t kMaxPacketBytes = 65535;  // an IP header's length fields hold no more

// Bytes of payload behind the transport header that the request asks for.
std::size_t payload_bytes(const PlanRequest& request);

// IP and transport header with options, without payload.
std::size_t header_bytes(Protocol protocol, wire::IpFamily family, std::uint8_t tcp_flags);

}  // namespace volley::probe

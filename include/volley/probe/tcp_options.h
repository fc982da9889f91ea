// The options of our SYNs: those of a usual client, in the usual order.
//
// Pure; any thread. A SYN without them is treated differently by firewalls and
// stacks. Other segments carry none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "volley/wire/address.h"
#include "volley/wire/packet.h"
#include "volley/wire/tcp.h"

namespace volley::probe {

// Maximum segment size, SACK permitted, timestamps, one NOP, window scale.
inline constexpr std::size_t kSynOptionBytes = wire::kTcpOptionMssBytes + wire::kTcpOptionSackPermittedBytes +
                                               wire::kTcpOptionTimestampsBytes + 1 + wire::kTcpOptionWindowScaleBytes;
// Of the timestamp value, from the start of the options.
inline constexpr std::size_t kSynTimestampOffset = wire::kTcpOptionMssBytes + wire::kTcpOptionSackPermittedBytes + 2;

constexpr std::size_t tcp_option_bytes(std::uint8_t tcp_flags) {
  return (tcp_flags & wire::tcp_flag::kSyn) != 0 ? kSynOptionBytes : 0;
}

// The segment size that fits the MTU behind IP and TCP headers (RFC 9293
// section 3.7.1); an unknown MTU (0) counts as Ethernet's.
std::uint16_t segment_size(std::uint32_t mtu_bytes, wire::IpFamily family);

std::array<std::uint8_t, kSynOptionBytes> syn_options(std::uint16_t segment_bytes, std::uint32_t timestamp);

}  // namespace volley::probe

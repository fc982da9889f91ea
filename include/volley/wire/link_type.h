// The link-layer framings that volley can read.
//
// A plain value. net maps libpcap's DLT_ numbers to it; wire strips the header.
#pragma once

#include <cstdint>

namespace volley::wire {

enum class LinkType : std::uint8_t {
  ethernet,         // DLT_EN10MB, 802.1Q and 802.1ad tags included
  linux_cooked_v1,  // DLT_LINUX_SLL, 16-byte header
  linux_cooked_v2,  // DLT_LINUX_SLL2, 20-byte header with interface index
  raw_ip,           // DLT_RAW, DLT_IPV4, DLT_IPV6: the packet begins with its IP header
  null_loopback,    // DLT_NULL: 4-byte address family in the capturing host's order
  loop,             // DLT_LOOP: the same in network order
};

}  // namespace volley::wire

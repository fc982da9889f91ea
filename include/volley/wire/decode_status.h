// Why a frame could or could not be decoded: one word for all header readers.
//
// A plain value: any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace volley::wire {

enum class DecodeStatus : std::uint8_t {
  ok,
  not_ip,           // another network protocol (ARP, LLDP): not an error
  other_transport,  // IP, but not TCP, UDP or ICMP: `ip` is set
  later_fragment,   // a fragment without the transport header: `ip` is set
  truncated_link,   // the frame ends inside the link header
  truncated_ip,
  bad_ip_header,  // version, header length or total length contradict each other
  truncated_transport,
  bad_transport_header,  // data offset or UDP length impossible
  bad_extension_header,  // IPv6 chain broken, too long or cut short
  bad_quote,             // an ICMP error whose quoted packet is too short or contradicts itself: `icmp` is set
};

std::string_view to_string(DecodeStatus status);

// True for the statuses that make a frame count as malformed.
bool is_malformed(DecodeStatus status);

}  // namespace volley::wire

// Decodes a captured frame, from the link header to the transport header.
//
// Never throws, never allocates, never reads outside the span. A frame that
// can't be decoded gets a reason. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "volley/wire/link_type.h"
#include "volley/wire/packet.h"

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

// `frame` holds the captured bytes, maybe fewer than were on the wire; a
// payload cut by the capture length is not an error, a header is.
// On any status but ok the fields of `packet` that could be read are set, the
// others are as in a fresh value.
DecodeStatus decode(LinkType link_type, std::span<const std::uint8_t> frame, DecodedPacket& packet);

// Decodes a packet that begins with its IP header; how quotes are read too.
DecodeStatus decode_ip(std::span<const std::uint8_t> bytes, DecodedPacket& packet);

}  // namespace volley::wire

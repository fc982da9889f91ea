// Decodes a captured frame, from the link header to the transport header.
//
// Never throws, never allocates, never reads outside the span. A frame that
// can't be decoded gets a reason. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "volley/wire/decode_status.h"
#include "volley/wire/ethernet.h"
#include "volley/wire/link_type.h"
#include "volley/wire/packet.h"

namespace volley::wire {

// Takes the link header off: what it carries, and what it tells. nullopt if it
// is cut short.
std::optional<LinkPayload> read_link(LinkType link_type, std::span<const std::uint8_t> frame, LinkInfo& link);

// `frame` holds the captured bytes, maybe fewer than were on the wire; a
// payload cut by the capture length is not an error, a header is.
// On any status but ok the fields of `packet` that could be read are set, the
// others are as in a fresh value.
DecodeStatus decode(LinkType link_type, std::span<const std::uint8_t> frame, DecodedPacket& packet);

// Decodes a packet that begins with its IP header; how quotes are read too.
DecodeStatus decode_ip(std::span<const std::uint8_t> bytes, DecodedPacket& packet);

}  // namespace volley::wire

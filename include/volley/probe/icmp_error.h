// ICMP errors that quote one of our probes: the part that all protocols share.
//
// Pure; any thread.
#pragma once

#include "volley/probe/sighting.h"
#include "volley/wire/packet.h"

namespace volley::probe {

// The packet reports that a quoted packet could not be delivered: unreachable,
// time exceeded, parameter problem, too big; not a redirect or source quench.
bool is_delivery_error(const wire::DecodedPacket& packet);

// Sent by the quoted packet's own destination: "port unreachable" alone then
// proves that the packet arrived.
bool is_port_unreachable_from_target(const wire::DecodedPacket& packet);

// An error sighting with type and code; key and evidence are the protocol's.
Sighting error_sighting(const wire::DecodedPacket& packet);

// What the quoted IP header shows of the probe id (IPv4's identification), with
// what the protocol read from the payload.
TokenEvidence with_identification(const TokenEvidence& payload, const wire::IpInfo& ip);

}  // namespace volley::probe

// Whether the next hop's link address is known: the kernel's ARP and ND tables.
//
// A dead host on the own link never sees a probe: the kernel holds the probes
// back, resolves in vain and drops them without an error. This tells that case
// from a full queueing discipline. Any thread.
#pragma once

#include <cstdint>

#include "volley/wire/address.h"

namespace volley::net {

enum class NeighbourState : std::uint8_t {
  unknown,     // no entry: nothing was sent there lately, or the link needs no address (tun)
  resolved,    // its link address is known
  unresolved,  // asked for, no answer (yet): what is sent there waits, then is dropped
};

// `next_hop`: Route::gateway, or the destination itself. Throws SetupError if
// the kernel doesn't answer.
NeighbourState neighbour_state(std::uint32_t interface_index, const wire::IpAddress& next_hop);

}  // namespace volley::net

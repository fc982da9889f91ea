// Where the kernel sends packets to a destination: interface, source, MTU.
//
// The kernel's own answer (RTM_GETROUTE), asked with all that policy routing
// may look at, so that it is the route that the probes will take. Values; main
// thread, while a run is set up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "volley/wire/address.h"

namespace volley::net {

struct RouteRequest {
  wire::IpAddress destination;
  std::uint32_t scope_id = 0;             // of a link-local destination
  std::optional<wire::IpAddress> source;  // -S
  std::uint32_t interface_index = 0;      // -I; 0: the kernel chooses
  std::optional<std::uint32_t> mark;      // --mark
  std::uint8_t traffic_class = 0;         // DSCP << 2
};

struct Route {
  std::uint32_t interface_index = 0;
  std::string interface_name;
  wire::IpAddress source;  // as asked, else the one that the kernel prefers
  std::uint32_t mtu_bytes = 0;
  bool is_local = false;  // the destination is this host: leaves by lo
  std::optional<wire::IpAddress> gateway;
};

// Without a source the route is asked for twice: rules "from" a source apply to
// the source that the first answer names, as they do for a connecting socket.
// Throws SetupError: no route, a source that isn't this host's, an interface
// without an address, a broadcast or multicast destination, a link-local
// destination without interface.
Route find_route(const RouteRequest& request);

}  // namespace volley::net

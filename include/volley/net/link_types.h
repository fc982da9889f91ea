// libpcap's link-layer numbers as volley's link types.
//
// Pure but for libpcap's table of names; any thread.
#pragma once

#include <optional>
#include <string>

#include "volley/wire/link_type.h"

namespace volley::net {

// nullopt: a framing that volley can't read.
std::optional<wire::LinkType> link_type_of(int dlt);

// "EN10MB"; the number where libpcap has no name for it.
std::string link_type_name(int dlt);

}  // namespace volley::net

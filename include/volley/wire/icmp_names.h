// Short names of ICMP and ICMPv6 messages, as the report prints them.
//
// Pure; any thread. The names are stable: they are the `code` of the JSON
// report's unreachable entries.
#pragma once

#include <cstdint>
#include <string_view>

#include "volley/wire/address.h"

namespace volley::wire {

// "host unreachable", "admin prohibited", "fragmentation needed", "ttl
// exceeded"... An unknown code gets its type's name ("unreachable"), an unknown
// type "unknown icmp"; never empty.
std::string_view icmp_name(IpFamily family, std::uint8_t type, std::uint8_t code);

}  // namespace volley::wire

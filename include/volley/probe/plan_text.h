// Numbers and names as they stand in the sentences about a plan.
//
// Pure; any thread. Always a decimal point, whatever the locale.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "volley/probe/plan.h"

namespace volley::probe {

// At most three decimals, no trailing zeros: "1000", "0.5".
std::string plain_number(double value);

// "20000/s".
std::string rate_text(double rate_pps);

// In the largest fitting of s, ms and us: "1.25 s", "20 ms".
std::string duration_text(std::chrono::nanoseconds duration);

// "tcp", "udp", "icmp".
std::string_view protocol_name(Protocol protocol);

// "10.0.3.7:80", "[fe80::1]:443"; without a port the address alone.
std::string destination_text(const Destination& destination);

// "1 source port", "12 source ports".
std::string count_text(std::uint64_t count, std::string_view singular);

}  // namespace volley::probe

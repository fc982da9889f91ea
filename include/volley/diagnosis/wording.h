// Numbers and names as findings put them into sentences: always with a decimal
// point whatever the locale.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "volley/diagnosis/exact_tail.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::diagnosis {

// "0 %", "0.63 %", "5.0 %", "12.5 %", "100 %".
std::string percent(double ratio);

// "5.0 %, 95 %: 3.9 to 6.4 %".
std::string percent_with_interval(std::uint64_t hits, std::uint64_t trials);

// "3.9 to 6.4 %".
std::string interval_text(const Interval& interval);

// "63 of 1249".
std::string part_of(std::uint64_t part, std::uint64_t whole);

// "p < 1e-50" from ln p; "p = 0.02" where it is not small.
std::string p_text(double log_p);

// e^log_p, but never 0: what JSON gets.
double p_value(double log_p);

// "0.141 ms", "41.2 ms", "2.00 s".
std::string time_text(std::int64_t ns);

// "0.112 to 0.118 ms", "191 to 203 ms"; one time where both read alike.
std::string time_range_text(std::int64_t low_ns, std::int64_t high_ns);

// "1 probe", "12 probes".
std::string plural(std::uint64_t count, std::string_view noun);

// "about 1 queue in 8"; "62.5 % of the flows" where a number of queues would be a guess.
std::string share_text(double share);

// "3", "3 and 5", "3, 5 and 7".
std::string enumeration(std::span<const std::uint16_t> values);

// "33017 40211 51830".
std::string port_list(std::span<const std::uint16_t> ports);

// "tcp/443", "udp/53", "icmp".
std::string service_text(probe::Protocol protocol, std::uint16_t port);

// What to write after the options to probe this destination again: "web7:443",
// "[2001:db8::7]:443", "10.0.3.7".
std::string target_argument(const stats::DestinationResult& destination, probe::Protocol protocol);

// " --udp" or " --icmp"; empty for TCP, the default.
std::string protocol_option(probe::Protocol protocol);

}  // namespace volley::diagnosis

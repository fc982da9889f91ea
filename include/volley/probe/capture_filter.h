// Clauses of pcap filters that the protocols share.
//
// Pure; any thread. A clause that would be too long is left out: the matcher
// checks everything again, so a wide filter costs time and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "volley/probe/plan.h"

namespace volley::probe {

// "a and b", without the empty ones; "(...)" around each.
std::string all_of(const std::vector<std::string>& clauses);
std::string any_of(const std::vector<std::string>& clauses);

bool has_family(const ProbePlan& plan, wire::IpFamily family);

// "src" or "dst" for the targets: their hosts, their ports; empty if too many.
std::string target_hosts(const ProbePlan& plan, std::string_view direction);
std::string target_ports(const ProbePlan& plan, std::string_view direction);
// The same for this side.
std::string source_hosts(const ProbePlan& plan, std::string_view direction);
std::string source_ports(const ProbePlan& plan, std::string_view direction);

// ICMP and ICMPv6 errors to this side that may quote a probe.
std::string icmp_errors(const ProbePlan& plan);

}  // namespace volley::probe

// Composes pcap filter texts. Pure; any thread.
#include "volley/probe/capture_filter.h"

#include <algorithm>
#include <set>

#include "volley/wire/icmp.h"
#include "volley/wire/ipv6.h"

namespace volley::probe {

namespace {

// More alternatives than this cost the kernel more for each frame than they spare.
constexpr std::size_t kMostAlternatives = 16;

std::string joined(const std::vector<std::string>& clauses, std::string_view word) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& clause : clauses) {
    if (clause.empty()) {
      continue;
    }
    text += (count++ == 0 ? "(" : " " + std::string(word) + " (") + clause + ")";
  }
  return text;
}

std::string hosts(const std::set<wire::IpAddress>& addresses, std::string_view direction) {
  if (addresses.size() > kMostAlternatives) {
    return "";
  }
  std::vector<std::string> clauses;
  for (const wire::IpAddress& address : addresses) {
    clauses.push_back(std::string(direction) + " host " + wire::to_string(address));
  }
  return any_of(clauses);
}

std::string ports(const std::set<std::uint16_t>& numbers, std::string_view direction) {
  std::vector<std::string> clauses;
  for (const std::uint16_t port : numbers) {
    clauses.push_back(std::string(direction) + " port " + std::to_string(port));
  }
  return any_of(clauses);
}

std::string type_is(std::string_view type_byte, std::uint8_t type) {
  return std::string(type_byte) + " = " + std::to_string(type);
}

}  // namespace

std::string all_of(const std::vector<std::string>& clauses) {
  return joined(clauses, "and");
}
std::string any_of(const std::vector<std::string>& clauses) {
  return joined(clauses, "or");
}

bool has_family(const ProbePlan& plan, wire::IpFamily family) {
  return std::any_of(plan.destinations.begin(), plan.destinations.end(),
                     [&](const Destination& to) { return to.address.family == family; });
}

std::string target_hosts(const ProbePlan& plan, std::string_view direction) {
  std::set<wire::IpAddress> addresses;
  for (const Destination& to : plan.destinations) {
    addresses.insert(to.address);
  }
  return hosts(addresses, direction);
}

std::string source_hosts(const ProbePlan& plan, std::string_view direction) {
  std::set<wire::IpAddress> addresses;
  for (const Destination& to : plan.destinations) {
    addresses.insert(to.source);
  }
  return hosts(addresses, direction);
}

std::string target_ports(const ProbePlan& plan, std::string_view direction) {
  std::set<std::uint16_t> numbers;
  for (const Destination& to : plan.destinations) {
    numbers.insert(to.port);
  }
  return numbers.size() > kMostAlternatives ? "" : ports(numbers, direction);
}

std::string source_ports(const ProbePlan& plan, std::string_view direction) {
  if (plan.source_ports.size() <= kMostAlternatives) {
    return ports({plan.source_ports.begin(), plan.source_ports.end()}, direction);
  }
  return std::string(direction) + " portrange " + std::to_string(plan.source_ports.front()) + "-" +
         std::to_string(plan.source_ports.back());
}

std::string icmp_errors(const ProbePlan& plan) {
  std::vector<std::string> clauses;
  if (has_family(plan, wire::IpFamily::v4)) {
    clauses.push_back(any_of({type_is("icmp[0]", wire::kIcmpUnreachable), type_is("icmp[0]", wire::kIcmpTimeExceeded),
                              type_is("icmp[0]", wire::kIcmpParameterProblem)}));
  }
  if (has_family(plan, wire::IpFamily::v6)) {
    // pcap indexes ICMPv6 only from the IPv6 header on.
    clauses.push_back("icmp6 and ip6[" + std::to_string(wire::kIpv6HeaderBytes) + "] < " +
                      std::to_string(wire::kIcmpv6FirstInformational));
  }
  return all_of({any_of(clauses), source_hosts(plan, "dst")});
}

}  // namespace volley::probe

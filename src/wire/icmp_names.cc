// The table of ICMP and ICMPv6 names.
//
// Pure; any thread. Types and codes as IANA registers them.
#include "volley/wire/icmp_names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "volley/wire/icmp.h"

namespace volley::wire {

namespace {

struct CodeName {
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  std::string_view name;
};

struct TypeName {
  std::uint8_t type = 0;
  std::string_view name;
};

constexpr std::string_view kUnknown = "unknown icmp";

constexpr CodeName kV4Codes[] = {
    {kIcmpUnreachable, 0, "network unreachable"},
    {kIcmpUnreachable, 1, "host unreachable"},
    {kIcmpUnreachable, 2, "protocol unreachable"},
    {kIcmpUnreachable, kIcmpPortUnreachableCode, "port unreachable"},
    {kIcmpUnreachable, kIcmpFragmentationNeededCode, "fragmentation needed"},
    {kIcmpUnreachable, 5, "source route failed"},
    {kIcmpUnreachable, 6, "network unknown"},
    {kIcmpUnreachable, 7, "host unknown"},
    {kIcmpUnreachable, 8, "source host isolated"},
    {kIcmpUnreachable, 9, "network admin prohibited"},
    {kIcmpUnreachable, 10, "host admin prohibited"},
    {kIcmpUnreachable, 11, "network unreachable for tos"},
    {kIcmpUnreachable, 12, "host unreachable for tos"},
    {kIcmpUnreachable, 13, "admin prohibited"},
    {kIcmpUnreachable, 14, "host precedence violation"},
    {kIcmpUnreachable, 15, "precedence cutoff"},
    {kIcmpRedirect, 0, "redirect for network"},
    {kIcmpRedirect, 1, "redirect for host"},
    {kIcmpRedirect, 2, "redirect for tos and network"},
    {kIcmpRedirect, 3, "redirect for tos and host"},
    {kIcmpTimeExceeded, kIcmpTtlExceededCode, "ttl exceeded"},
    {kIcmpTimeExceeded, 1, "reassembly time exceeded"},
    {kIcmpParameterProblem, 0, "bad header field"},
    {kIcmpParameterProblem, 1, "required option missing"},
    {kIcmpParameterProblem, 2, "bad header length"},
};

constexpr TypeName kV4Types[] = {
    {kIcmpEchoReply, "echo reply"},
    {kIcmpUnreachable, "unreachable"},
    {kIcmpSourceQuench, "source quench"},
    {kIcmpRedirect, "redirect"},
    {kIcmpEchoRequest, "echo request"},
    {9, "router advertisement"},
    {10, "router solicitation"},
    {kIcmpTimeExceeded, "time exceeded"},
    {kIcmpParameterProblem, "parameter problem"},
    {13, "timestamp request"},
    {14, "timestamp reply"},
};

constexpr CodeName kV6Codes[] = {
    {kIcmpv6Unreachable, 0, "no route"},
    {kIcmpv6Unreachable, 1, "admin prohibited"},
    {kIcmpv6Unreachable, 2, "beyond scope of source"},
    {kIcmpv6Unreachable, 3, "host unreachable"},
    {kIcmpv6Unreachable, kIcmpv6PortUnreachableCode, "port unreachable"},
    {kIcmpv6Unreachable, 5, "source policy failed"},
    {kIcmpv6Unreachable, 6, "reject route"},
    {kIcmpv6Unreachable, 7, "source routing error"},
    {kIcmpv6Unreachable, 8, "headers too long"},
    {kIcmpv6TimeExceeded, kIcmpv6HopLimitExceededCode, "ttl exceeded"},
    {kIcmpv6TimeExceeded, 1, "reassembly time exceeded"},
    {kIcmpv6ParameterProblem, 0, "bad header field"},
    {kIcmpv6ParameterProblem, 1, "unknown next header"},
    {kIcmpv6ParameterProblem, 2, "unknown option"},
};

constexpr TypeName kV6Types[] = {
    {kIcmpv6Unreachable, "unreachable"},
    {kIcmpv6PacketTooBig, "packet too big"},
    {kIcmpv6TimeExceeded, "time exceeded"},
    {kIcmpv6ParameterProblem, "parameter problem"},
    {kIcmpv6EchoRequest, "echo request"},
    {kIcmpv6EchoReply, "echo reply"},
    {133, "router solicitation"},
    {134, "router advertisement"},
    {135, "neighbour solicitation"},
    {136, "neighbour advertisement"},
    {137, "redirect"},
};

template <std::size_t Codes, std::size_t Types>
std::string_view find_name(const CodeName (&codes)[Codes], const TypeName (&types)[Types], std::uint8_t type,
                           std::uint8_t code) {
  const auto* const by_code = std::find_if(std::begin(codes), std::end(codes), [type, code](const CodeName& entry) {
    return entry.type == type && entry.code == code;
  });
  if (by_code != std::end(codes)) {
    return by_code->name;
  }
  const auto* const by_type =
      std::find_if(std::begin(types), std::end(types), [type](const TypeName& entry) { return entry.type == type; });
  return by_type != std::end(types) ? by_type->name : kUnknown;
}

}  // namespace

std::string_view icmp_name(IpFamily family, std::uint8_t type, std::uint8_t code) {
  return family == IpFamily::v6 ? find_name(kV6Codes, kV6Types, type, code) : find_name(kV4Codes, kV4Types, type, code);
}

}  // namespace volley::wire

// Flows as a user writes them: SRC:PORT>DST:PORT, IPv6 addresses in brackets;
// SRC>DST for ICMP.
//
// Pure; never throws. Any thread. The string of each result says what is wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "volley/wire/flow.h"

namespace volley::rss {

// Ports are needed for TCP and UDP and refused for ICMP; icmp becomes icmpv6
// between IPv6 addresses. Blanks around '>' don't count.
std::variant<wire::Flow, std::string> parse_flow(std::string_view text, wire::IpProtocol protocol);

// One flow a line; empty lines and what follows a '#' don't count.
// "line 3: ..." if one can't be read.
std::variant<std::vector<wire::Flow>, std::string> parse_flows(std::string_view text, wire::IpProtocol protocol);

// An address with an optional port: "10.0.3.7:443", "[2001:db8::1]:443", "10.0.3.7", "2001:db8::1".
struct Endpoint {
  wire::IpAddress address;
  std::uint16_t port = 0;  // 0: not given

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};
std::variant<Endpoint, std::string> parse_endpoint(std::string_view text);

// "10.0.3.7:443", "[2001:db8::1]:443"; without port 0.
std::string endpoint_text(const wire::IpAddress& address, std::uint16_t port);

// "10.0.3.9:41000>10.0.3.7:443": what parse_flow reads.
std::string flow_text(const wire::Flow& flow);

// "tcp", "udp", "icmp", "icmpv6".
std::string_view protocol_name(wire::IpProtocol protocol);

}  // namespace volley::rss

// Reads and writes flows as text; see the header. Pure; any thread.
#include "volley/rss/flow_text.h"

#include <algorithm>
#include <optional>

#include "volley/rss/text_lines.h"

namespace volley::rss {
namespace {

constexpr std::size_t kMaxPort = 65535;

bool is_icmp(wire::IpProtocol protocol) {
  return protocol == wire::IpProtocol::icmp || protocol == wire::IpProtocol::icmpv6;
}

// An endpoint's two halves; port without value: there is no colon.
struct Halves {
  std::string_view address;
  std::optional<std::string_view> port;
};

std::optional<Halves> split_endpoint(std::string_view text) {
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) {
      return std::nullopt;
    }
    const auto address = text.substr(1, close - 1);
    const auto rest = text.substr(close + 1);
    if (rest.empty()) {
      return Halves{address, std::nullopt};
    }
    return rest.front() == ':' ? std::optional(Halves{address, rest.substr(1)}) : std::nullopt;
  }
  const auto colon = text.find(':');
  // Two colons and no bracket: an IPv6 address alone.
  if (colon == std::string_view::npos || text.find(':', colon + 1) != std::string_view::npos) {
    return Halves{text, std::nullopt};
  }
  return Halves{text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

std::variant<Endpoint, std::string> parse_endpoint(std::string_view text) {
  text = trimmed(text);
  const auto halves = split_endpoint(text);
  const auto address = halves ? wire::parse_address(halves->address) : std::nullopt;
  if (!address || (text.starts_with('[') && !address->is_v6())) {
    return in_quotes(text) + " is not an address with an optional port: 192.0.2.1:443 or [2001:db8::1]:443";
  }
  Endpoint endpoint{*address, 0};
  if (halves->port) {
    const auto port = parse_number(*halves->port, kMaxPort);
    if (!port || *port == 0) {
      return in_quotes(*halves->port) + " is not a port from 1 to 65535";
    }
    endpoint.port = static_cast<std::uint16_t>(*port);
  }
  return endpoint;
}

std::variant<wire::Flow, std::string> parse_flow(std::string_view text, wire::IpProtocol protocol) {
  const auto arrow = text.find('>');
  if (arrow == std::string_view::npos) {
    return in_quotes(trimmed(text)) + " is not a flow: SRC:PORT>DST:PORT";
  }
  const auto source = parse_endpoint(text.substr(0, arrow));
  if (const auto* error = std::get_if<std::string>(&source)) {
    return *error;
  }
  const auto destination = parse_endpoint(text.substr(arrow + 1));
  if (const auto* error = std::get_if<std::string>(&destination)) {
    return *error;
  }
  const auto& from = std::get<Endpoint>(source);
  const auto& to = std::get<Endpoint>(destination);
  if (from.address.family != to.address.family) {
    return in_quotes(trimmed(text)) + " mixes an IPv4 and an IPv6 address";
  }
  if (is_icmp(protocol)) {
    if (from.port != 0 || to.port != 0) {
      return in_quotes(trimmed(text)) + " has a port, and ICMP has none: SRC>DST";
    }
    protocol = from.address.is_v6() ? wire::IpProtocol::icmpv6 : wire::IpProtocol::icmp;
  } else if (from.port == 0 || to.port == 0) {
    return in_quotes(trimmed(text)) + " lacks a port: SRC:PORT>DST:PORT";
  }
  return wire::Flow{from.address, to.address, from.port, to.port, protocol};
}

std::variant<std::vector<wire::Flow>, std::string> parse_flows(std::string_view text, wire::IpProtocol protocol) {
  std::vector<wire::Flow> flows;
  for (const auto& line : split_lines(text)) {
    const auto content = trimmed(line.text.substr(0, line.text.find('#')));
    if (content.empty()) {
      continue;
    }
    const auto flow = parse_flow(content, protocol);
    if (const auto* error = std::get_if<std::string>(&flow)) {
      return "line " + std::to_string(line.number) + ": " + *error;
    }
    flows.push_back(std::get<wire::Flow>(flow));
  }
  return flows;
}

std::string endpoint_text(const wire::IpAddress& address, std::uint16_t port) {
  if (port == 0) {
    return to_string(address);
  }
  const auto host = address.is_v6() ? "[" + to_string(address) + "]" : to_string(address);
  return host + ":" + std::to_string(port);
}

std::string flow_text(const wire::Flow& flow) {
  return endpoint_text(flow.source, flow.source_port) + ">" + endpoint_text(flow.destination, flow.destination_port);
}

std::string_view protocol_name(wire::IpProtocol protocol) {
  switch (protocol) {
    case wire::IpProtocol::tcp:
      return "tcp";
    case wire::IpProtocol::udp:
      return "udp";
    case wire::IpProtocol::icmp:
      return "icmp";
    case wire::IpProtocol::icmpv6:
      return "icmpv6";
  }
  return "";
}

}  // namespace volley::rss

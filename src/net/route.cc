// Asks the kernel for routes. Main thread.
#include "volley/net/route.h"

#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "volley/net/error.h"
#include "volley/net/interfaces.h"
#include "volley/net/netlink.h"

namespace volley::net {

namespace {

std::string describe(const RouteRequest& request) {
  std::string text = "route to " + wire::to_string(request.destination);
  if (request.source) text += " from " + wire::to_string(*request.source);
  return text;
}

std::vector<std::uint8_t> encode(const RouteRequest& request) {
  rtmsg head{};
  head.rtm_family = request.destination.is_v6() ? AF_INET6 : AF_INET;
  head.rtm_dst_len = static_cast<unsigned char>(request.destination.bytes().size() * 8);
  // The kernel takes the bits of the old TOS field only; ECN is none of its business (include/net/dsfield.h).
  constexpr std::uint8_t kDscpBits = 0xfc;
  head.rtm_tos = request.traffic_class & kDscpBits;
  std::vector<std::uint8_t> message(sizeof head);
  const auto append_number = [&message](std::uint16_t type, std::uint32_t number) {
    std::array<std::uint8_t, sizeof number> bytes{};
    std::memcpy(bytes.data(), &number, sizeof number);
    append_attribute(message, type, bytes);
  };
  append_attribute(message, RTA_DST, request.destination.bytes());
  if (request.source) {
    head.rtm_src_len = static_cast<unsigned char>(request.source->bytes().size() * 8);
    append_attribute(message, RTA_SRC, request.source->bytes());
  }
  const std::uint32_t interface = request.interface_index != 0 ? request.interface_index : request.scope_id;
  if (interface != 0) append_number(RTA_OIF, interface);
  if (request.mark) append_number(RTA_MARK, *request.mark);
  std::memcpy(message.data(), &head, sizeof head);
  return message;
}

// What one answer says; the MTU only if the route itself has one.
struct Answer {
  unsigned char kind = RTN_UNSPEC;
  Route route;
  std::optional<wire::IpAddress> source;
};

std::optional<Answer> parse(const NetlinkMessage& message) {
  rtmsg head{};
  if (message.type != RTM_NEWROUTE || message.payload.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, message.payload.data(), sizeof head);
  const NetlinkAttributes attributes(std::span(message.payload).subspan(sizeof head));
  Answer answer;
  answer.kind = head.rtm_type;
  answer.route.is_local = head.rtm_type == RTN_LOCAL;
  answer.route.interface_index = attributes.number(RTA_OIF).value_or(0);
  answer.route.gateway = attributes.address(RTA_GATEWAY);
  answer.source = attributes.address(RTA_PREFSRC);
  if (const auto metrics = attributes.find(RTA_METRICS)) {
    answer.route.mtu_bytes = NetlinkAttributes(*metrics).number(RTAX_MTU).value_or(0);
  }
  return answer;
}

Answer ask(NetlinkSocket& socket, const RouteRequest& request) {
  std::vector<NetlinkMessage> messages;
  const int error = socket.ask(RTM_GETROUTE, 0, encode(request), messages);
  if (error != 0) throw SetupError(describe_errno(describe(request), error));
  const auto answer = messages.empty() ? std::nullopt : parse(messages.front());
  if (!answer) throw SetupError(describe(request) + ": the kernel gave no answer");
  switch (answer->kind) {
    case RTN_UNREACHABLE:
      throw SetupError(describe(request) + ": the routing table says unreachable");
    case RTN_PROHIBIT:
      throw SetupError(describe(request) + ": the routing table prohibits it");
    case RTN_BLACKHOLE:
      throw SetupError(describe(request) + ": the routing table drops it (blackhole)");
    case RTN_BROADCAST:
      throw SetupError(wire::to_string(request.destination) + ": a broadcast address, not a host");
    case RTN_MULTICAST:
      throw SetupError(wire::to_string(request.destination) + ": a multicast address, not a host");
    default:
      return *answer;
  }
}

// Only what the kernel would accept as local: no spoofing.
void require_own_address(NetlinkSocket& socket, const wire::IpAddress& source) {
  RouteRequest request;
  request.destination = source;
  std::vector<NetlinkMessage> messages;
  const int error = socket.ask(RTM_GETROUTE, 0, encode(request), messages);
  const auto answer = messages.empty() ? std::nullopt : parse(messages.front());
  if (error == 0 && answer && answer->kind == RTN_LOCAL) return;
  // Link-local addresses need their interface for that question; the list has them.
  for (const Interface& interface : list_interfaces()) {
    for (const InterfaceAddress& own : interface.addresses) {
      if (own.address == source) return;
    }
  }
  throw SetupError("source " + wire::to_string(source) + ": not an address of this host");
}

Interface interface_of(std::uint32_t index, const RouteRequest& request) {
  for (Interface& interface : list_interfaces()) {
    if (interface.index == index) return std::move(interface);
  }
  throw SetupError(describe(request) + ": interface " + std::to_string(index) + " is gone");
}

void check(const RouteRequest& request) {
  const std::string destination = wire::to_string(request.destination);
  if (wire::is_multicast(request.destination)) throw SetupError(destination + ": a multicast address, not a host");
  if (wire::is_unspecified(request.destination)) throw SetupError(destination + ": not the address of a host");
  if (wire::is_limited_broadcast(request.destination)) {
    throw SetupError(destination + ": a broadcast address, not a host");
  }
  const bool has_interface = request.interface_index != 0 || request.scope_id != 0;
  if (request.destination.is_v6() && wire::is_link_local(request.destination) && !has_interface) {
    throw SetupError(destination + ": a link-local address needs its interface: " + destination + "%eth0");
  }
  if (request.interface_index != 0 && request.scope_id != 0 && request.interface_index != request.scope_id) {
    throw SetupError(destination + ": its zone names another interface than -I");
  }
  if (request.source && request.source->family != request.destination.family) {
    throw SetupError("source " + wire::to_string(*request.source) + ": not of the family of " + destination);
  }
}

}  // namespace

Route find_route(const RouteRequest& request) {
  check(request);
  if (request.interface_index != 0) {
    // The kernel would only say that the network is unreachable.
    const Interface interface = interface_of(request.interface_index, request);
    if (!interface.is_up) throw SetupError("interface " + interface.name + ": it is down");
  }
  NetlinkSocket socket;
  if (request.source) require_own_address(socket, *request.source);
  Answer answer = ask(socket, request);
  RouteRequest with_source = request;
  if (!request.source) {
    if (!answer.source || wire::is_unspecified(*answer.source)) {
      const Interface interface = interface_of(answer.route.interface_index, request);
      throw SetupError("interface " + interface.name + ": no " + (request.destination.is_v6() ? "IPv6" : "IPv4") +
                       " address to send from");
    }
    with_source.source = answer.source;
    answer = ask(socket, with_source);
  }
  const Interface interface = interface_of(answer.route.interface_index, request);
  if (!interface.is_up) throw SetupError(describe(request) + ": interface " + interface.name + " is down");
  answer.route.interface_name = interface.name;
  answer.route.source = *with_source.source;
  // A route's own MTU (or one learned from ICMP) is never above what the interface takes.
  const std::uint32_t route_mtu = answer.route.mtu_bytes;
  answer.route.mtu_bytes = route_mtu == 0 ? interface.mtu_bytes : std::min(route_mtu, interface.mtu_bytes);
  return answer.route;
}

}  // namespace volley::net

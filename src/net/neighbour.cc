// Looks up a next hop in the kernel's neighbour tables. Any thread.
#include "volley/net/neighbour.h"

#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <cstring>

#include "volley/net/error.h"
#include "volley/net/netlink.h"

namespace volley::net {

namespace {

NeighbourState state_of(std::uint16_t kernel_state) {
  // Stale, delayed and probed entries still have an address that is used.
  constexpr unsigned kUnresolved = NUD_INCOMPLETE | NUD_FAILED;
  if (kernel_state == NUD_NONE) return NeighbourState::unknown;
  return (kernel_state & kUnresolved) != 0 ? NeighbourState::unresolved : NeighbourState::resolved;
}

}  // namespace

NeighbourState neighbour_state(std::uint32_t interface_index, const wire::IpAddress& next_hop) {
  ndmsg request{};
  request.ndm_family = next_hop.is_v6() ? AF_INET6 : AF_INET;
  const void* start = &request;
  NetlinkSocket socket;
  std::vector<NetlinkMessage> answer;
  const int error =
      socket.ask(RTM_GETNEIGH, NLM_F_DUMP, {static_cast<const std::uint8_t*>(start), sizeof request}, answer);
  if (error != 0) throw SetupError(describe_errno("list the neighbours", error));
  for (const NetlinkMessage& message : answer) {
    ndmsg entry{};
    if (message.type != RTM_NEWNEIGH || message.payload.size() < sizeof entry) continue;
    std::memcpy(&entry, message.payload.data(), sizeof entry);
    if (static_cast<std::uint32_t>(entry.ndm_ifindex) != interface_index) continue;
    const NetlinkAttributes attributes(std::span(message.payload).subspan(sizeof entry));
    if (attributes.address(NDA_DST) == next_hop) return state_of(entry.ndm_state);
  }
  return NeighbourState::unknown;
}

}  // namespace volley::net

// Tells dead neighbours from local drops (see the header).
#include "volley/app/silent_neighbour.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "volley/net/error.h"
#include "volley/net/neighbour.h"
#include "volley/net/route.h"
#include "volley/stats/interval.h"

namespace volley::app {
namespace {

// The next hop towards the destination if it has no link address.
std::optional<wire::IpAddress> silent_next_hop(const probe::Destination& destination) {
  try {
    const net::Route route = net::find_route({.destination = destination.address,
                                              .scope_id = destination.scope_id,
                                              .source = destination.source,
                                              .interface_index = destination.interface_index,
                                              .mark = std::nullopt,
                                              .traffic_class = 0});
    const wire::IpAddress next_hop = route.gateway.value_or(destination.address);
    if (net::neighbour_state(route.interface_index, next_hop) == net::NeighbourState::unresolved) return next_hop;
  } catch (const net::SetupError&) {
    // The route is gone meanwhile: then it is a local matter.
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> count_silent_neighbours(const probe::ProbePlan& plan, stats::RunResult& result) {
  std::vector<std::string> notes;
  auto& not_departed = result.local.not_sent[static_cast<std::size_t>(probe::NotSentReason::not_departed)];
  for (std::size_t i = 0; i < result.destinations.size(); ++i) {
    stats::DestinationResult& destination = result.destinations[i];
    const std::uint64_t count = std::min(destination.not_sent, not_departed);
    if (destination.sent != 0 || count == 0) continue;
    const auto next_hop = silent_next_hop(plan.destinations[i]);
    if (!next_hop) continue;
    destination.sent = count;
    destination.lost = count;
    destination.not_sent -= count;
    destination.direction.unknown = count;
    destination.loss = stats::wilson_95(count, count);
    not_departed -= count;
    std::string note = fmt::format("{} does not answer {}: no host of this link has that address now",
                                   wire::to_string(*next_hop), next_hop->is_v6() ? "neighbour discovery" : "ARP");
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace volley::app

// Chooses thresholds of slowness. Pure; any thread.
#include "volley/diagnosis/slow_levels.h"

#include <algorithm>
#include <array>

namespace volley::diagnosis {
namespace {

// Shares of the replies that are to lie above a level (STATISTICS section 1).
constexpr std::array<double, kSlowLevels> kShares{1.0 / 2, 1.0 / 4, 1.0 / 10, 1.0 / 50, 1.0 / 200, 1.0 / 1000};
constexpr std::uint64_t kFewestReplies = 10;  // above a level
// Queues of a healthy host differ by this much: other NUMA node, other load.
constexpr std::int64_t kHealthyDifferenceNs = 10'000;
constexpr std::int64_t kHealthyDifferenceDivisor = 10;  // of the median

// The tails less the explained replies.
std::vector<std::uint32_t> without(const stats::DestinationResult& destination,
                                   const std::vector<stats::SlowReply>& explained) {
  const stats::PortTails& tails = destination.tails;
  std::vector<std::uint32_t> above = tails.above;
  const auto& ports = destination.ports;
  for (const stats::SlowReply& reply : explained) {
    const auto port = std::lower_bound(ports.begin(), ports.end(), reply.source_port,
                                       [](const auto& result, std::uint16_t number) { return result.port < number; });
    if (port == ports.end() || port->port != reply.source_port) continue;
    const std::size_t row = static_cast<std::size_t>(port - ports.begin()) * tails.thresholds_ns.size();
    for (std::size_t t = 0; t < tails.thresholds_ns.size() && reply.rtt_ns > tails.thresholds_ns[t]; ++t) {
      if (above[row + t] > 0) --above[row + t];
    }
  }
  return above;
}

}  // namespace

std::vector<SlowLevel> choose_slow_levels(const stats::DestinationResult& destination,
                                          const std::vector<stats::SlowReply>& explained) {
  const stats::PortTails& tails = destination.tails;
  const std::size_t thresholds = tails.thresholds_ns.size();
  const std::size_t ports = destination.ports.size();
  std::vector<SlowLevel> levels;
  if (thresholds == 0 || tails.above.size() != ports * thresholds) return levels;
  const std::vector<std::uint32_t> above = without(destination, explained);
  std::vector<std::uint64_t> totals(thresholds, 0);
  for (std::size_t i = 0; i < above.size(); ++i) totals[i % thresholds] += above[i];
  const std::int64_t median = destination.rtt.p50_ns;
  const std::int64_t least = median + std::max(kHealthyDifferenceNs, median / kHealthyDifferenceDivisor);
  std::size_t next = 0;  // thresholds below are taken
  for (const double share : kShares) {
    const double most = share * static_cast<double>(destination.rtt.count);
    std::size_t t = next;
    while (t < thresholds && (tails.thresholds_ns[t] < least || static_cast<double>(totals[t]) > most)) ++t;
    if (t == thresholds || totals[t] < kFewestReplies) break;
    SlowLevel level{tails.thresholds_ns[t], totals[t], std::vector<std::uint64_t>(ports)};
    for (std::size_t p = 0; p < ports; ++p) level.hits[p] = above[p * thresholds + t];
    levels.push_back(std::move(level));
    next = t + 1;
  }
  return levels;
}

}  // namespace volley::diagnosis

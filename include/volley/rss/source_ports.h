// Which source ports of a flow reach which queue.
//
// Pure; any thread. `flow` gives addresses, destination port and protocol, its
// source port does not matter. Ranges include both ends; an empty range
// (first > last) gives nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/rss/config.h"
#include "volley/wire/flow.h"

namespace volley::rss {

struct PortRange {
  std::uint16_t first = 32768;
  std::uint16_t last = 65535;

  std::uint32_t size() const { return first > last ? 0 : std::uint32_t{last} - first + 1; }
  friend bool operator==(const PortRange&, const PortRange&) = default;
};

// Ascending.
std::vector<std::uint16_t> ports_for_queue(const RssConfig& config, const wire::Flow& flow, QueueId queue,
                                           PortRange range);

// Number of ports that reach each queue; index = queue, config.queue_count() long.
std::vector<std::uint32_t> ports_per_queue(const RssConfig& config, const wire::Flow& flow, PortRange range);

}  // namespace volley::rss

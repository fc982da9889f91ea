// Source ports by queue; see the header. Pure; any thread.
#include "volley/rss/source_ports.h"

#include "volley/rss/flow_hasher.h"

namespace volley::rss {

std::vector<std::uint16_t> ports_for_queue(const RssConfig& config, const wire::Flow& flow, QueueId queue,
                                           PortRange range) {
  std::vector<std::uint16_t> ports;
  const FlowHasher hasher(config, flow);
  for (std::uint32_t i = 0; i < range.size(); ++i) {
    const auto port = static_cast<std::uint16_t>(range.first + i);
    if (hasher.queue(port) == queue) {
      ports.push_back(port);
    }
  }
  return ports;
}

std::vector<std::uint32_t> ports_per_queue(const RssConfig& config, const wire::Flow& flow, PortRange range) {
  std::vector<std::uint32_t> counts(config.queue_count());
  if (counts.empty()) {
    return counts;
  }
  const FlowHasher hasher(config, flow);
  for (std::uint32_t i = 0; i < range.size(); ++i) {
    ++counts[hasher.queue(static_cast<std::uint16_t>(range.first + i))];
  }
  return counts;
}

}  // namespace volley::rss

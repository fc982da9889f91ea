// Draws source ports. Sender thread only.
#include "volley/probe/port_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "volley/probe/port_rest.h"
#include "volley/rss/flow_hasher.h"

namespace volley::probe {

namespace {

bool goes_by_queue(const ProbePlan& plan, const Destination& destination) {
  if (!plan.rss) {
    return false;
  }
  const wire::IpProtocol protocol = plan.protocol == Protocol::tcp ? wire::IpProtocol::tcp : wire::IpProtocol::udp;
  return rss::hash_fields(*plan.rss, protocol, destination.address.family) == rss::HashFields::addresses_and_ports;
}

}  // namespace

PortOrder::PortOrder(const ProbePlan& plan, const Destination& destination, Generator& generator) {
  if (goes_by_queue(plan, destination)) {
    group_by_queue(plan, destination);
  } else {
    ports_ = plan.source_ports;
    groups_.push_back({0, static_cast<std::uint32_t>(ports_.size()), 0, 0});
  }
  const double rate_pps = destination_rate_pps(plan);
  const auto count = static_cast<std::uint32_t>(groups_.size());
  for (Group& group : groups_) {
    const std::uint32_t size = group.rested;
    shuffle(std::span(ports_).subspan(group.begin, size), generator);
    // Each group is drawn from once in `count` draws.
    const std::uint32_t share = (wanted_rest_draws(rate_pps) + count - 1) / count;
    group.resting = rest_within(share, size);
    group.rested = size - group.resting;
  }
  turns_.resize(count);
  std::iota(turns_.begin(), turns_.end(), std::uint16_t{0});
}

void PortOrder::group_by_queue(const ProbePlan& plan, const Destination& destination) {
  const wire::IpProtocol protocol = plan.protocol == Protocol::tcp ? wire::IpProtocol::tcp : wire::IpProtocol::udp;
  const rss::FlowHasher hasher(*plan.rss, {destination.source, destination.address, 0, destination.port, protocol});
  std::vector<std::pair<rss::QueueId, std::uint16_t>> by_queue;
  by_queue.reserve(plan.source_ports.size());
  for (const std::uint16_t port : plan.source_ports) {
    const rss::QueueId queue = hasher.queue(port);
    if (!plan.only_queue || queue == *plan.only_queue) {
      by_queue.emplace_back(queue, port);
    }
  }
  std::sort(by_queue.begin(), by_queue.end());
  ports_.reserve(by_queue.size());
  for (std::size_t i = 0; i < by_queue.size(); ++i) {
    if (i == 0 || by_queue[i].first != by_queue[i - 1].first) {
      groups_.push_back({static_cast<std::uint32_t>(i), 0, 0, 0});
    }
    ++groups_.back().rested;
    ports_.push_back(by_queue[i].second);
  }
}

std::uint32_t PortOrder::next_group(Generator& generator) {
  if (groups_.size() == 1) {
    return 0;
  }
  if (turns_left_ == 0) {
    turns_left_ = static_cast<std::uint32_t>(turns_.size());
  }
  // One step of a shuffle: the round's order is drawn as it is used.
  const std::uint32_t pick = generator.below(turns_left_);
  --turns_left_;
  std::swap(turns_[pick], turns_[turns_left_]);
  return turns_[turns_left_];
}

std::uint16_t PortOrder::next(Generator& generator) {
  Group& group = groups_[next_group(generator)];
  std::uint16_t& drawn = ports_[group.begin + generator.below(group.rested)];
  const std::uint16_t port = drawn;
  if (group.resting != 0) {
    // It takes the place of the port that has rested longest, which may be drawn again.
    std::swap(drawn, ports_[group.begin + group.rested + group.oldest]);
    group.oldest = group.oldest + 1 == group.resting ? 0 : group.oldest + 1;
  }
  return port;
}

}  // namespace volley::probe

// Which group a probe or a reply belongs to, and the groups' results.
//
// Invariant: each remote group holds exactly the probes whose predicted queue
// it is, each local group the replies observed on its queue. Receiver thread only.
#include "volley/stats/queue_groups.h"

#include <algorithm>
#include <bit>

#include "volley/stats/interval.h"

namespace volley::stats {

namespace {

constexpr std::size_t kLocalGroupsEach = 128;  // a destination, as long as there are few

std::size_t recorded_destinations(const probe::ProbePlan& plan) {
  if (!plan.rss || plan.rss->queue_count() == 0) return 0;
  return std::min(plan.destinations.size(), kRemoteGroups / plan.rss->queue_count());
}

std::vector<QueueGroup> make_groups(std::size_t count, OctaveArena& arena) {
  std::vector<QueueGroup> groups;
  groups.reserve(count);
  for (std::size_t i = 0; i < count; ++i) groups.emplace_back(arena);
  return groups;
}

QueueResult to_result(rss::QueueId queue, const QueueGroup& group, const RttShape& bounds) {
  QueueResult result;
  result.queue = queue;
  result.sent = group.sent;
  result.answered = group.answered;
  result.lost = group.lost;
  result.loss = wilson_95(group.lost, group.answered + group.lost);
  result.rtt = group.rtt.summary();
  result.rtt_error = group.rtt.error();
  result.shape = group.rtt.shape(bounds.low_ns, bounds.high_ns);
  return result;
}

}  // namespace

std::size_t RemoteQueues::group_count(const probe::ProbePlan& plan) {
  const std::size_t destinations = recorded_destinations(plan);
  return destinations == 0 ? 0 : destinations * plan.rss->queue_count();
}

RemoteQueues::RemoteQueues(const probe::ProbePlan& plan, const PortIndex& index, OctaveArena& arena)
    : plan_(plan),
      index_(index),
      queues_(plan.rss ? plan.rss->queue_count() : 0),
      recorded_(recorded_destinations(plan)),
      groups_(make_groups(group_count(plan), arena)) {
  // ICMP has no ports, and one queue a destination.
  const std::vector<std::uint16_t> ports = index.size() == 0 ? std::vector<std::uint16_t>{0} : plan.source_ports;
  row_ = ports.size();
  precomputed_ = std::min(recorded_, kPortRecords / row_);
  queue_of_pair_.reserve(precomputed_ * row_);
  for (std::size_t destination = 0; destination < precomputed_; ++destination) {
    for (const std::uint16_t port : ports) {
      queue_of_pair_.push_back(probe::remote_queue(plan, plan.destinations[destination], port));
    }
  }
}

std::size_t RemoteQueues::memory_bytes() const {
  return groups_.size() * sizeof(QueueGroup) + queue_of_pair_.size() * sizeof(rss::QueueId);
}

rss::QueueId RemoteQueues::queue_of(std::uint32_t destination, std::uint16_t source_port) const {
  if (destination < precomputed_) {
    const auto place = index_.size() == 0 ? std::size_t{0} : index_.place_of(source_port);
    if (place) return queue_of_pair_[destination * row_ + *place];
  }
  return probe::remote_queue(plan_, plan_.destinations[destination], source_port);
}

QueueGroup& RemoteQueues::group(std::uint32_t destination, std::uint16_t source_port) {
  return groups_[destination * queues_ + queue_of(destination, source_port)];
}

std::vector<QueueResult> RemoteQueues::results(std::uint32_t destination, const RttShape& bounds) const {
  std::vector<QueueResult> results;
  if (!has_records(destination)) return results;
  std::vector<rss::QueueId> queues = plan_.rss->table;
  std::sort(queues.begin(), queues.end());
  queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
  results.reserve(queues.size());
  for (const rss::QueueId queue : queues) {
    results.push_back(to_result(queue, groups_[destination * queues_ + queue], bounds));
  }
  return results;
}

std::size_t LocalQueues::group_count(std::size_t destinations) {
  return std::min(destinations * kLocalGroupsEach, kLocalGroups);
}

LocalQueues::LocalQueues(std::size_t destinations, OctaveArena& arena)
    : places_(std::bit_ceil(2 * group_count(destinations) + 1)),
      groups_(make_groups(group_count(destinations), arena)) {}

std::size_t LocalQueues::memory_bytes() const {
  return groups_.size() * sizeof(QueueGroup) + places_.size() * sizeof(Place);
}

QueueGroup* LocalQueues::find(std::uint32_t destination, rss::QueueId queue) {
  const std::uint64_t pair = ((std::uint64_t{destination} << 16U) | queue) + 1;
  const std::size_t mask = places_.size() - 1;
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio (Knuth, TAOCP 6.4)
  for (std::size_t at = (pair * kSpread) >> 32U;; ++at) {
    Place& place = places_[at & mask];
    if (place.pair == pair) return &groups_[place.group];
    if (place.pair != 0) continue;
    if (taken_ == groups_.size()) return nullptr;
    place = {.pair = pair, .group = static_cast<std::uint32_t>(taken_++)};
    return &groups_[place.group];
  }
}

std::vector<QueueResult> LocalQueues::results(std::uint32_t destination, const RttShape& bounds) const {
  std::vector<QueueResult> results;
  for (const Place& place : places_) {
    if (place.pair == 0 || (place.pair - 1) >> 16U != destination) continue;
    const auto queue = static_cast<rss::QueueId>((place.pair - 1) & 0xffffU);
    results.push_back(to_result(queue, groups_[place.group], bounds));
  }
  std::sort(results.begin(), results.end(),
            [](const QueueResult& a, const QueueResult& b) { return a.queue < b.queue; });
  return results;
}

}  // namespace volley::stats

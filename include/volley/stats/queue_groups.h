// Counts and RTT by receive queue: the target's by prediction, ours by observation.
//
// Fixed memory: kRemoteGroups and kLocalGroups (destination, queue) pairs at
// most, whole destinations first come for remote queues, single queues as they
// are seen for local ones. What is beyond is said in the result. Groups share
// the caller's arena. Receiver thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/stats/histogram.h"
#include "volley/stats/port_index.h"
#include "volley/stats/run_result.h"

namespace volley::stats {

inline constexpr std::size_t kRemoteGroups = 8'192;
inline constexpr std::size_t kLocalGroups = 2'048;

struct QueueGroup {
  explicit QueueGroup(OctaveArena& arena) : rtt(arena) {}
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  Histogram rtt;
};

class RemoteQueues {
 public:
  // Without plan.rss there are no groups. Queues of the first kPortRecords
  // (destination, port) pairs are computed here, of others when they come.
  // Plan, index and arena must outlive this.
  RemoteQueues(const probe::ProbePlan& plan, const PortIndex& index, OctaveArena& arena);
  // How many groups a plan needs.
  static std::size_t group_count(const probe::ProbePlan& plan);

  std::size_t memory_bytes() const;
  bool has_records(std::uint32_t destination) const { return destination < recorded_; }
  // Requires has_records(destination).
  QueueGroup& group(std::uint32_t destination, std::uint16_t source_port);
  // The queues of the table, ascending, those that no probe reached included.
  std::vector<QueueResult> results(std::uint32_t destination, const RttShape& bounds) const;

 private:
  rss::QueueId queue_of(std::uint32_t destination, std::uint16_t source_port) const;

  const probe::ProbePlan& plan_;
  const PortIndex& index_;
  std::size_t queues_ = 0;
  std::size_t recorded_ = 0;     // destinations
  std::size_t precomputed_ = 0;  // destinations
  std::size_t row_ = 1;          // queues precomputed for each
  std::vector<rss::QueueId> queue_of_pair_;
  std::vector<QueueGroup> groups_;
};

class LocalQueues {
 public:
  LocalQueues(std::size_t destinations, OctaveArena& arena);
  static std::size_t group_count(std::size_t destinations);

  std::size_t memory_bytes() const;
  // The group of a pair, taken at its first sight; nullptr when all are taken.
  QueueGroup* find(std::uint32_t destination, rss::QueueId queue);
  // The queues seen, ascending.
  std::vector<QueueResult> results(std::uint32_t destination, const RttShape& bounds) const;

 private:
  struct Place {
    std::uint64_t pair = 0;  // destination and queue, plus one; 0: free
    std::uint32_t group = 0;
  };
  std::vector<Place> places_;  // open addressing, a power of two, at most half full
  std::vector<QueueGroup> groups_;
  std::size_t taken_ = 0;
};

}  // namespace volley::stats

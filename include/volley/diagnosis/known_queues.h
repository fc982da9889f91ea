// Which of the known queues hit more often than the others: lost, or slow.
//
// Exact: every split of the queues into "bad" and "rest" that is looked at is a
// hypergeometric tail and pays for all splits that could have been looked at,
// so log_p holds as it stands. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "volley/rss/config.h"

namespace volley::diagnosis {

struct QueueCount {
  rss::QueueId queue = 0;
  std::uint64_t probes = 0;  // with a known end: answered and lost; for slowness, replies
  std::uint64_t hits = 0;    // of them
};

// Queues that hit at about the same, raised rate.
struct QueueGroup {
  std::vector<rss::QueueId> queues;  // ascending
  std::uint64_t probes = 0;
  std::uint64_t hits = 0;
  std::uint64_t rest_probes = 0;  // of the queues in no group
  std::uint64_t rest_hits = 0;
  double log_p = 0.0;  // price paid
};

struct QueueSearch {
  double log_alpha = 0.0;         // a group must have log_p below it
  double log_price = 0.0;         // ln of the number of further looks, as at several thresholds
  double least_rate_ratio = 1.0;  // a group's rate over the rest's that is worth a word
};

// The worst group first; after it the queues that are left are asked again, so
// that a queue that loses 1 % is not hidden behind one that loses half. The
// chance of any group where all queues are alike is below alpha.
std::vector<QueueGroup> find_bad_queues(std::span<const QueueCount> queues, const QueueSearch& search);

}  // namespace volley::diagnosis

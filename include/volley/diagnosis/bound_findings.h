// What loss, and what slowness, is bound to: a queue of the given RSS, flows of
// another structure, single flows, or nothing.
//
// The prediction is tested before anything is attributed to it. Pure; any thread.
#pragma once

#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// queue_loss, or rss_mismatch with flow_bound_loss, or flow_bound_loss, or uniform_loss.
std::vector<Finding> find_bound_loss(const Subject& subject);

// The same for slow replies, at the level that shows it best; never uniform.
// Beyond kMostSlowSearches destinations only known queues are looked at, since
// a search takes some 10 ms. `explained` as in slow_levels.h.
std::vector<Finding> find_bound_slow(const Subject& subject, const std::vector<stats::SlowReply>& explained);

inline constexpr std::uint32_t kMostSlowSearches = 64;

}  // namespace volley::diagnosis

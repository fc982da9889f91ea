// Queues of the target that answer late, where its RSS is known.
//
// Pure; any thread.
#pragma once

#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// The slowest groups of queues, at the level of slowness that shows them best;
// `explained` as in slow_levels.h.
std::vector<Finding> find_queue_slow(const Subject& subject, const std::vector<stats::SlowReply>& explained);

}  // namespace volley::diagnosis

// What this host did itself: probes that it did not send, frames that its
// capture or its interface dropped.
//
// Counts, no statistics. Pure; any thread.
#pragma once

#include <optional>

#include "volley/diagnosis/finding.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::diagnosis {

// About the whole run, not one destination.
std::optional<Finding> find_local_drops(const probe::ProbePlan& plan, const stats::RunResult& result);

// True if frames that this host dropped may be a tenth of the losses or more:
// then nothing may be said about where packets were lost.
bool are_losses_in_doubt(const stats::RunResult& result, const stats::DestinationResult& destination);

}  // namespace volley::diagnosis

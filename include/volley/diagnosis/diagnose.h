// Findings from the finished statistics of a run.
//
// Pure; any thread. Methods and error budget: STATISTICS section 6.
#pragma once

#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::diagnosis {

// Most severe first; empty when nothing is wrong.
std::vector<Finding> diagnose(const probe::ProbePlan& plan, const stats::RunResult& result);

}  // namespace volley::diagnosis

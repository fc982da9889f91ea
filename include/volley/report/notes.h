// Notes that follow from plan and result: what the reader must know to trust
// the numbers.
//
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::report {

// A sentence each, without a full stop: the plan's warnings, a shortfall of the
// rate over 2 %, skipped ports, clock steps, resets that a local firewall ate,
// frames that could not be decoded. For Document::notes, before the run's own.
std::vector<std::string> standard_notes(const probe::ProbePlan& plan, const stats::RunResult& result);

}  // namespace volley::report

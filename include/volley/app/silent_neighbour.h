// A dead host on the own link: the kernel asks for its link address in vain and
// drops the probes without an error, so none is seen departing.
//
// For the user that host did not answer; it is no fault of this one. Main
// thread, after a run.
#pragma once

#include <string>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::app {

// Destinations of which no probe departed, and whose next hop has no link
// address: their probes become sent and lost, with a note for each host.
std::vector<std::string> count_silent_neighbours(const probe::ProbePlan& plan, stats::RunResult& result);

}  // namespace volley::app

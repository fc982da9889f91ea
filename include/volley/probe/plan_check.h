// What contradicts itself in a request, or can't be sent: found all at once.
//
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "volley/probe/plan.h"

namespace volley::probe {

// Probes/s of the whole run that the request comes to; 0: as fast as the machine goes.
double requested_rate_pps(const PlanRequest& request);

// One plain sentence for each conflict; empty if there is none. Conflicts that
// only the chosen source ports can show are make_plan's to find.
std::vector<std::string> find_conflicts(const PlanRequest& request);

}  // namespace volley::probe

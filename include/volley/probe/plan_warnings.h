// What a sound plan can't do, said before the numbers.
//
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "volley/probe/plan.h"

namespace volley::probe {

// One plain sentence each: ports that come round too soon, queues that no port
// reaches, hashes that leave out the ports.
std::vector<std::string> find_warnings(const ProbePlan& plan);

}  // namespace volley::probe

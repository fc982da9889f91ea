// Findings about stalls of the target: when, for how long, on which queue or
// share of the flows; stalls of this host are told apart.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

struct StallReport {
  std::vector<Finding> findings;
  // Replies that a reported stall held: they need no other explanation.
  std::vector<stats::SlowReply> held;
};

StallReport examine_stalls(const Subject& subject);

}  // namespace volley::diagnosis

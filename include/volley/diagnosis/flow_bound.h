// Findings about loss or slowness that follows the flow, where no queue can be
// named: the part of the source ports that is bad, or the ports that were hit.
//
// Pure; any thread.
#pragma once

#include "volley/diagnosis/bound_search.h"
#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// Requires search.is_bound().
Finding make_flow_bound_finding(const Subject& subject, const Indicator& indicator, const BoundSearch& search);

// Loss that all flows share alike: enough of it, and none of it bound to the
// flow. `search` as search_ports gave it for the loss.
std::optional<Finding> find_uniform_loss(const Subject& subject, const std::optional<BoundSearch>& search);

}  // namespace volley::diagnosis

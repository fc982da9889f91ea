// Is the given RSS in force? It is, if it explains the data as well as a
// structure found without it does.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "volley/diagnosis/bound_search.h"
#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// How much better "each predicted queue has its own rate" explains the hits
// than "all have one", in nats: more than any single claim about queues could.
double predicted_gain(const std::vector<HitCount>& queues);

// The hits of each predicted queue; empty without known RSS.
std::vector<HitCount> count_by_queue(const Subject& subject, const Indicator& indicator);

// True if the prediction must be wrong: the blind structure explains the hits
// better than the prediction does with all rates free. Requires known RSS and search.is_bound().
bool is_prediction_refuted(const Subject& subject, const Indicator& indicator, const BoundSearch& search);

Finding make_mismatch_finding(const Subject& subject, const Indicator& indicator, const BoundSearch& search);

}  // namespace volley::diagnosis

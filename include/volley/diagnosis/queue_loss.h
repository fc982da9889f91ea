// Queues of the target that lose packets, where its RSS is known.
//
// Pure; any thread.
#pragma once

#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

std::vector<Finding> find_queue_loss(const Subject& subject);

}  // namespace volley::diagnosis

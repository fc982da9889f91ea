// Findings about the target's queues where its RSS is known: which lose, which
// are slow, and the commands that show it again.
//
// Pure; any thread.
#pragma once

#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/known_queues.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// The group's claim with the source port as the unit of chance: loss that is
// bound to single flows (a member of a link group) falls on ports, and makes
// queues unequal that are alike. True where there is no list of ports.
bool do_ports_agree(const Subject& subject, const QueueGroup& group);

std::vector<Finding> find_queue_loss(const Subject& subject);

}  // namespace volley::diagnosis

// Source ports of the target's queues where its RSS is known, and the steps that
// show a bad queue again.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// Loss and slowness of known queues share 1e-3 (STATISTICS section 6).
inline constexpr double kKnownQueueAlpha = 5e-4;

// The destination's ports that reach one of the queues (ascending), or those that don't.
std::vector<stats::PortResult> ports_of(const Subject& subject, const std::vector<rss::QueueId>& queues, bool inside);

// The claim that `queues` hit more often, with the source port as the unit of
// chance: loss that is bound to single flows (a member of a link group) falls on
// ports, and makes queues unequal that are alike. `hits` has an entry for each
// of DestinationResult::ports. True where there is no list of ports.
bool do_ports_agree(const Subject& subject, const std::vector<rss::QueueId>& queues,
                    std::span<const std::uint64_t> hits);

// Fills in what to try and where to look, and the ports that reproduce it.
void add_queue_steps(const Subject& subject, const std::vector<rss::QueueId>& queues, Finding& finding);

// "queue 3", "queues 3 and 5".
std::string queues_text(const std::vector<rss::QueueId>& queues);

}  // namespace volley::diagnosis

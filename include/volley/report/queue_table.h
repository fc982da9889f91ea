// The tables of receive queues: the target's (predicted by its RSS) and our own
// (observed).
//
// Pure; any thread. More queues than a page takes are shown by the worst, the
// others in one line.
#pragma once

#include <cstdint>

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

// True if the target's NIC puts all probes on one queue, whatever their ports:
// always for ICMP, else if its RSS is known to leave the ports out.
bool is_hashed_on_addresses(const probe::ProbePlan& plan);

// The target's queues, or the line that says why all probes met one of them
// (ICMP, and protocols that its RSS hashes on addresses alone). Nothing if RSS
// is unknown and ports are hashed. `index` is the destination's in the result.
void write_remote_queues(Page& page, const TextContext& context, std::uint32_t index);

// Nothing unless replies were seen on two queues or more.
void write_local_queues(Page& page, const TextContext& context, std::uint32_t index);

}  // namespace volley::report

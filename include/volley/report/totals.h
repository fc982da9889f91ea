// The totals: what was sent, answered and lost, the loss, the RTTs.
//
// Pure; any thread.
#pragma once

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

// The block of one destination.
void write_totals(Page& page, const TextContext& context, const stats::DestinationResult& destination);

// The block of a run with several destinations: their sums.
void write_run_totals(Page& page, const TextContext& context);

}  // namespace volley::report

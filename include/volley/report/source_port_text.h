// Source ports in the text report: the worst in a line, or all in a table.
//
// Pure; any thread.
#pragma once

#include <cstdint>

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

// The ports that lost the largest share of their probes (of those whose end is
// known, as in every loss ratio); nothing if none lost
// or all lost everything.
void write_worst_ports(Page& page, const stats::DestinationResult& destination);

// Every port, ascending, with the target's queue where RSS is known.
void write_all_ports(Page& page, const TextContext& context, std::uint32_t index);

}  // namespace volley::report

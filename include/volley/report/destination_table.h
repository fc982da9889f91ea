// The table of a run with several destinations: a row each, the worst first.
//
// Pure; any thread. The rows that a page doesn't take are counted in one line.
#pragma once

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

void write_destination_table(Page& page, const TextContext& context);

}  // namespace volley::report

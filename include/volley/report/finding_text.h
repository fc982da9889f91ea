// Notes and findings as text: what is wrong, the evidence, what to do now.
//
// Pure; any thread.
#pragma once

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

// A line each, right below the totals.
void write_notes(Page& page, const TextContext& context);

// A block each, or "no finding". Commands to try stay on one line, however
// long, so that they can be pasted.
void write_findings(Page& page, const TextContext& context);

}  // namespace volley::report

// The first line: what was probed, from where, how.
//
// Pure; any thread.
#pragma once

#include "volley/report/page.h"
#include "volley/report/text_context.h"

namespace volley::report {

void write_headline(Page& page, const TextContext& context);

}  // namespace volley::report

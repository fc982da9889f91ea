// `volley read`: the analysis of `volley probe` from a capture file.
//
// Main thread, no privileges. Returns the exit status; throws CommandError or
// net::SetupError for what can't be read.
#pragma once

#include <iosfwd>

#include "volley/app/options.h"

namespace volley::app {

int run_read_command(const ReadOptions& options, std::istream& in);

}  // namespace volley::app

// `volley probe`: sets a run up, lets it run, tells what came of it.
//
// Main thread. Returns the exit status; throws CommandError or net::SetupError
// for what can't be set up.
#pragma once

#include <iosfwd>

#include "volley/app/options.h"

namespace volley::app {

int run_probe_command(const ProbeOptions& options, std::istream& in);

}  // namespace volley::app

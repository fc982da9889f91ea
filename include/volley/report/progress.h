// The progress line of a long run, for standard error.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "volley/stats/aggregator.h"

namespace volley::report {

// One line without its end, below 80 columns:
// "4 s  3998 of 10000 sent  3 lost (0.075 %)  p50 0.093  p99 0.210 ms".
// `planned` is the number of probes of the whole run, 0 if nothing bounds it.
std::string progress_line(const stats::Progress& progress, std::int64_t elapsed_ns, std::uint64_t planned);

}  // namespace volley::report

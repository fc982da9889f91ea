// A ratio with its 95 % confidence interval.
//
// Pure; any thread. Wilson's score interval (E. B. Wilson, J. Amer. Statist.
// Assoc. 22, 1927): it stays within 0 to 1 and says something even for no or
// all hits, where it is z^2 / (n + z^2) wide.
#pragma once

#include <cstdint>

#include "volley/stats/run_result.h"

namespace volley::stats {

// hits of trials, hits <= trials; without trials: 0, from 0 to 1.
Ratio wilson_95(std::uint64_t hits, std::uint64_t trials);

}  // namespace volley::stats

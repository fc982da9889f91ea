// How long a source port rests before the same destination sees it again.
//
// Pure; any thread. A half-open entry that our SYN left at the target lives
// until our kernel's reset, or until the target sends its SYN-ACK again after
// 1 s and that one is reset: after 1.25 s a port is safe to use again.
#pragma once

#include <cstdint>

#include "volley/probe/plan.h"

namespace volley::probe {

inline constexpr double kPortRestSeconds = 1.25;

// Probes/s that each destination gets; 0: as fast as the machine goes.
double destination_rate_pps(const ProbePlan& plan);

// Draws of one destination that last at least 1.25 s: how many others are drawn
// before a port may come again, where the set is large enough for it.
std::uint32_t wanted_rest_draws(double destination_rate_pps);

// What of a wanted rest a set of `ports` can give: all of it while a quarter of
// the ports stays to choose from, so that the choice of the next one is random;
// else half of the ports' round. 0 for a single port.
std::uint32_t rest_within(std::uint32_t wanted, std::uint32_t ports);

// Both together: the rest of a set's ports, in draws.
std::uint32_t rest_draws(double destination_rate_pps, std::uint32_t ports);

}  // namespace volley::probe

// Rest of the source ports, in draws. Pure; any thread.
#include "volley/probe/port_rest.h"

#include <algorithm>
#include <cmath>

namespace volley::probe {

namespace {

constexpr double kMostDraws = 65536.0;  // more than there are ports

}  // namespace

double destination_rate_pps(const ProbePlan& plan) {
  return plan.destinations.empty() ? plan.rate_pps : plan.rate_pps / static_cast<double>(plan.destinations.size());
}

std::uint32_t wanted_rest_draws(double destination_rate_pps) {
  if (destination_rate_pps <= 0.0) {
    return static_cast<std::uint32_t>(kMostDraws);
  }
  return static_cast<std::uint32_t>(std::min(std::ceil(kPortRestSeconds * destination_rate_pps), kMostDraws));
}

std::uint32_t rest_within(std::uint32_t wanted, std::uint32_t ports) {
  return wanted <= ports - ports / 4 ? wanted : ports / 2;
}

std::uint32_t rest_draws(double destination_rate_pps, std::uint32_t ports) {
  return rest_within(wanted_rest_draws(destination_rate_pps), ports);
}

}  // namespace volley::probe

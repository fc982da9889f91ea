// Two kinds of ports, sound and bad: which share is bad, and how much each
// kind loses, from counts by port.
//
// A mixture of two binomials, by maximum likelihood, with profile likelihood
// intervals. Choosing ports by what was seen before does no harm. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/port_spectrum.h"

namespace volley::diagnosis {

struct Mixture {
  double share = 0.0;      // of the ports that are bad
  double bad_rate = 0.0;   // above base_rate
  double base_rate = 0.0;  // of the sound ones
  double log_likelihood = 0.0;
  Interval share_interval;     // 95 %
  Interval bad_rate_interval;  // 95 %
};

// Without hits: all zero, with intervals that say nothing.
Mixture fit_mixture(std::span<const HitCount> ports);

// The probability that a port with these counts is a bad one.
double bad_probability(const Mixture& mixture, const HitCount& port);

}  // namespace volley::diagnosis

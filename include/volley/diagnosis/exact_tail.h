// Exact tails of the distributions that the findings rest on, as natural
// logarithms, so that 1e-400 is still a number.
//
// Pure functions of integers; any thread. Each returns ln P in [-inf, 0].
#pragma once

#include <cstdint>

namespace volley::diagnosis {

// ln n!, to about 1e-15 relative: exact factorials up to 20, Stirling's series above.
double log_factorial(std::uint64_t n);

// ln of the gamma function, to 1e-9 or better, for x >= 1.
double log_gamma(double x);

// ln of "n choose k"; -inf for k > n.
double log_choose(std::uint64_t n, std::uint64_t k);

// Drawing without replacement: `population` probes of which `marked` are lost,
// `drawn` of them belong to the part that is looked at.
struct Draw {
  std::uint64_t population = 0;
  std::uint64_t marked = 0;
  std::uint64_t drawn = 0;
};

// ln P(X >= hits), hypergeometric: one-sided Fisher's exact test.
double log_hypergeometric_upper(const Draw& draw, std::uint64_t hits);

// The same, or slightly more: first term and a geometric series in place of the
// rest, so that it costs no loop. 0 where hits do not exceed their mean.
double log_hypergeometric_upper_bound(const Draw& draw, std::uint64_t hits);

// ln P(X >= hits) and ln P(X <= hits) for `trials` of probability `p`.
double log_binomial_upper(std::uint64_t trials, double p, std::uint64_t hits);
double log_binomial_lower(std::uint64_t trials, double p, std::uint64_t hits);

// ln P(B > c) for B distributed as Beta(a + 1, b + 1) with whole a and b.
double log_beta_upper(std::uint64_t a, std::uint64_t b, double c);

// ln P(X >= hits) for a Poisson variable.
double log_poisson_upper(double mean, std::uint64_t hits);

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

// Clopper and Pearson's exact interval of 95 % for hits of trials.
Interval clopper_pearson(std::uint64_t hits, std::uint64_t trials);

}  // namespace volley::diagnosis

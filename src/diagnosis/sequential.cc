// The sequential test of round two. Pure; any thread.
#include "volley/diagnosis/sequential.h"

#include <cmath>

#include "volley/diagnosis/exact_tail.h"

namespace volley::diagnosis {
namespace {

// Binomial tail that confirms at the end; with the e-value 1e-3 in all.
constexpr double kFinalAlpha = 5e-4;
// Uniform loss (STATISTICS section 6): enough losses, a likelihood ratio of 1 %
// against suspects that lose four times as often as controls, no trend.
constexpr std::uint64_t kFewestForUniform = 30;
constexpr double kLeastLikelihood = -4.6;
constexpr double kLeastUniformP = 0.01;
constexpr double kExcess = 4.0;

// ln of the likelihood of "suspects lose four times as often" over "all alike".
double log_likelihood_ratio(const RoundTwo& counts) {
  const double c = counts.suspect_share;
  const double theta = kExcess * c / (1.0 + (kExcess - 1.0) * c);
  return static_cast<double>(counts.suspect_losses) * std::log(theta / c) +
         static_cast<double>(counts.control_losses) * std::log((1.0 - theta) / (1.0 - c));
}

bool is_valid(const RoundTwo& counts) {
  return counts.suspect_share > 0.0 && counts.suspect_share < 1.0;
}

}  // namespace

double log_e_value(const RoundTwo& counts) {
  if (!is_valid(counts)) return 0.0;
  const std::uint64_t x = counts.suspect_losses;
  const std::uint64_t y = counts.control_losses;
  const double c = counts.suspect_share;
  // Mean over theta, uniform on (c, 1), of theta^x (1 - theta)^y, against theta = c.
  const double log_beta = log_factorial(x) + log_factorial(y) - log_factorial(x + y + 1);
  return log_beta_upper(x, y, c) + log_beta - std::log1p(-c) - static_cast<double>(x) * std::log(c) -
         static_cast<double>(y) * std::log1p(-c);
}

double log_binomial_p(const RoundTwo& counts) {
  if (!is_valid(counts)) return 0.0;
  return log_binomial_upper(counts.suspect_losses + counts.control_losses, counts.suspect_share, counts.suspect_losses);
}

RoundTwoVerdict judge_running(const RoundTwo& counts) {
  return log_e_value(counts) > std::log(kConfirmingEValue) ? RoundTwoVerdict::follows_port : RoundTwoVerdict::undecided;
}

RoundTwoVerdict judge_finished(const RoundTwo& counts) {
  const RoundTwoVerdict running = judge_running(counts);
  if (running != RoundTwoVerdict::undecided || !is_valid(counts)) return running;
  const double log_p = log_binomial_p(counts);
  if (log_p < std::log(kFinalAlpha)) return RoundTwoVerdict::follows_port;
  const bool is_even = counts.suspect_losses + counts.control_losses >= kFewestForUniform &&
                       log_likelihood_ratio(counts) <= kLeastLikelihood && log_p > std::log(kLeastUniformP);
  return is_even ? RoundTwoVerdict::does_not : RoundTwoVerdict::undecided;
}

}  // namespace volley::diagnosis

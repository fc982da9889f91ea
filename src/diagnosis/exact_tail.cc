// Exact tails of hypergeometric, binomial, beta and Poisson distributions.
//
// A tail is summed from its border away from the mode, where terms fall from
// the first on, and stops when they no longer count; the other side of the
// mode is had from its complement. Pure; any thread.
#include "volley/diagnosis/exact_tail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace volley::diagnosis {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
// Terms below this share of the sum no longer change a double.
constexpr double kNegligible = 1e-17;

constexpr std::array<double, 21> make_factorials() {
  std::array<double, 21> values{};
  values[0] = 1.0;
  for (std::size_t n = 1; n < values.size(); ++n) values[n] = values[n - 1] * static_cast<double>(n);
  return values;
}

double real(std::uint64_t value) {
  return static_cast<double>(value);
}

// ln of Gamma(x) for large x: Stirling's series.
double stirling(double x) {
  const double inverse = 1.0 / x;
  const double square = inverse * inverse;
  const double series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
  return (x - 0.5) * std::log(x) - x + 0.5 * std::log(2.0 * std::numbers::pi) + series;
}

// ln(1 - e^x) for x <= 0.
double log_one_minus_exp(double x) {
  if (x >= 0.0) return kMinusInfinity;
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

double log_hypergeometric_term(const Draw& d, std::uint64_t hits) {
  if (hits > d.drawn || hits > d.marked || d.marked - hits > d.population - d.drawn) return kMinusInfinity;
  return log_choose(d.drawn, hits) + log_choose(d.population - d.drawn, d.marked - hits) -
         log_choose(d.population, d.marked);
}

// term(x + 1) / term(x).
double hypergeometric_ratio(const Draw& d, std::uint64_t x) {
  const double up = (real(d.drawn) - real(x)) * (real(d.marked) - real(x));
  const double down = (real(x) + 1.0) * (real(d.population) - real(d.drawn) - real(d.marked) + real(x) + 1.0);
  return down <= 0.0 ? std::numeric_limits<double>::infinity() : up / down;
}

// Sum of terms from `first` on, relative to the first; `ratio(x)` leads from x to the next.
template <typename Ratio>
double log_falling_sum(double log_first, std::uint64_t steps, Ratio ratio) {
  if (log_first == kMinusInfinity) return kMinusInfinity;
  double sum = 1.0;
  double term = 1.0;
  for (std::uint64_t i = 0; i < steps; ++i) {
    term *= ratio(i);
    if (!(term > kNegligible * sum)) break;
    sum += term;
  }
  return std::min(0.0, log_first + std::log(sum));
}

double log_binomial_term(std::uint64_t trials, double p, std::uint64_t hits) {
  const double misses = real(trials - hits);
  const double log_p = hits == 0 ? 0.0 : real(hits) * std::log(p);
  const double log_q = trials == hits ? 0.0 : misses * std::log1p(-p);
  return log_choose(trials, hits) + log_p + log_q;
}

}  // namespace

double log_factorial(std::uint64_t n) {
  static constexpr std::array<double, 21> kFactorials = make_factorials();
  if (n < kFactorials.size()) return std::log(kFactorials[n]);
  return stirling(real(n)) + std::log(real(n));
}

double log_gamma(double x) {
  // Gamma(x) = Gamma(x + k) / (x (x + 1) ... (x + k - 1)).
  constexpr double kSeriesFrom = 10.0;
  double correction = 0.0;
  for (; x < kSeriesFrom; x += 1.0) correction += std::log(x);
  return stirling(x) - correction;
}

double log_choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return kMinusInfinity;
  if (k == 0 || k == n) return 0.0;
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double log_hypergeometric_upper(const Draw& draw, std::uint64_t hits) {
  const std::uint64_t most = std::min(draw.drawn, draw.marked);
  const std::uint64_t others = draw.population - draw.drawn;
  const std::uint64_t least = draw.marked > others ? draw.marked - others : 0;
  if (hits <= least) return 0.0;
  if (hits > most) return kMinusInfinity;
  if (real(hits) * real(draw.population) >= real(draw.marked) * real(draw.drawn)) {
    return log_falling_sum(log_hypergeometric_term(draw, hits), most - hits,
                           [&](std::uint64_t i) { return hypergeometric_ratio(draw, hits + i); });
  }
  const std::uint64_t below = hits - 1;
  return log_one_minus_exp(log_falling_sum(log_hypergeometric_term(draw, below), below - least, [&](std::uint64_t i) {
    return 1.0 / hypergeometric_ratio(draw, below - i - 1);
  }));
}

double log_hypergeometric_upper_bound(const Draw& draw, std::uint64_t hits) {
  if (real(hits) * real(draw.population) <= real(draw.marked) * real(draw.drawn)) return 0.0;
  if (hits > std::min(draw.drawn, draw.marked)) return kMinusInfinity;
  const double term = log_hypergeometric_term(draw, hits);
  if (hits == std::min(draw.drawn, draw.marked)) return term;
  const double ratio = hypergeometric_ratio(draw, hits);
  if (ratio >= 1.0) return 0.0;
  return std::min(0.0, term - std::log1p(-ratio));
}

double log_binomial_upper(std::uint64_t trials, double p, std::uint64_t hits) {
  if (hits == 0 || p >= 1.0) return hits <= trials ? 0.0 : kMinusInfinity;
  if (hits > trials || p <= 0.0) return kMinusInfinity;
  const double odds = p / (1.0 - p);
  if (real(hits) >= p * real(trials)) {
    return log_falling_sum(log_binomial_term(trials, p, hits), trials - hits,
                           [&](std::uint64_t i) { return odds * real(trials - hits - i) / real(hits + i + 1); });
  }
  return log_one_minus_exp(log_binomial_lower(trials, p, hits - 1));
}

double log_binomial_lower(std::uint64_t trials, double p, std::uint64_t hits) {
  if (hits >= trials || p <= 0.0) return 0.0;
  return log_binomial_upper(trials, 1.0 - p, trials - hits);
}

double log_beta_upper(std::uint64_t a, std::uint64_t b, double c) {
  // P(Beta(a + 1, b + 1) > c) = P(Bin(a + b + 1, c) <= a).
  return log_binomial_lower(a + b + 1, c, a);
}

double log_poisson_upper(double mean, std::uint64_t hits) {
  if (hits == 0) return 0.0;
  if (mean <= 0.0) return kMinusInfinity;
  const auto log_term = [&](std::uint64_t x) { return real(x) * std::log(mean) - mean - log_factorial(x); };
  if (real(hits) >= mean) {
    return log_falling_sum(log_term(hits), std::numeric_limits<std::uint64_t>::max(),
                           [&](std::uint64_t i) { return mean / real(hits + i + 1); });
  }
  const std::uint64_t below = hits - 1;
  return log_one_minus_exp(
      log_falling_sum(log_term(below), below, [&](std::uint64_t i) { return real(below - i) / mean; }));
}

Interval clopper_pearson(std::uint64_t hits, std::uint64_t trials) {
  Interval interval;
  if (trials == 0) return interval;
  const double log_alpha = std::log(0.025);
  constexpr int kBisections = 60;
  if (hits > 0) {
    double low = 0.0;
    double high = real(hits) / real(trials);
    for (int i = 0; i < kBisections; ++i) {
      const double p = 0.5 * (low + high);
      (log_binomial_upper(trials, p, hits) < log_alpha ? low : high) = p;
    }
    interval.low = low;
  }
  if (hits < trials) {
    double low = real(hits) / real(trials);
    double high = 1.0;
    for (int i = 0; i < kBisections; ++i) {
      const double p = 0.5 * (low + high);
      (log_binomial_lower(trials, p, hits) < log_alpha ? high : low) = p;
    }
    interval.high = high;
  }
  return interval;
}

}  // namespace volley::diagnosis

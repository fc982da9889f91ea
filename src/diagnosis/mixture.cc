// Expectation and maximisation over distinct counts. Pure; any thread.
#include "volley/diagnosis/mixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace volley::diagnosis {
namespace {

constexpr int kMostRounds = 2000;
constexpr double kConverged = 1e-7;      // gain of log likelihood in a round
constexpr double kHalfChiSquare = 1.92;  // half of 3.84: 95 % of chi-square with one degree
constexpr std::array<double, 3> kStartingShares{0.02, 0.1, 0.3};
constexpr double kSmallest = 1e-9;

// Ports with equal counts are one entry.
struct Entry {
  double probes = 0.0;
  double hits = 0.0;
  double ports = 0.0;
};

struct Parameters {
  double share = 0.0;
  double bad = 0.0;
  double base = 0.0;
};

// What a profile holds fixed.
struct Fixed {
  std::optional<double> share;
  std::optional<double> bad;
};

double clamp_rate(double rate) {
  return std::clamp(rate, kSmallest, 1.0 - kSmallest);
}

double log_binomial_kernel(double probes, double hits, double rate) {
  const double p = clamp_rate(rate);
  return hits * std::log(p) + (probes - hits) * std::log1p(-p);
}

// ln of share * bad and of (1 - share) * base for one entry.
std::pair<double, double> log_parts(const Entry& entry, const Parameters& at) {
  const double share = clamp_rate(at.share);
  return {std::log(share) + log_binomial_kernel(entry.probes, entry.hits, at.bad),
          std::log1p(-share) + log_binomial_kernel(entry.probes, entry.hits, at.base)};
}

struct Round {
  Parameters next;
  double log_likelihood = 0.0;  // at the parameters that went in
};

Round improve(const std::vector<Entry>& entries, const Parameters& at, const Fixed& fixed) {
  double bad_ports = 0.0;
  double ports = 0.0;
  double bad_probes = 0.0;
  double bad_hits = 0.0;
  double probes = 0.0;
  double hits = 0.0;
  Round round;
  for (const Entry& entry : entries) {
    const auto [bad, base] = log_parts(entry, at);
    const double top = std::max(bad, base);
    const double whole = top + std::log(std::exp(bad - top) + std::exp(base - top));
    const double weight = entry.ports * std::exp(bad - whole);
    round.log_likelihood += entry.ports * whole;
    ports += entry.ports;
    probes += entry.ports * entry.probes;
    hits += entry.ports * entry.hits;
    bad_ports += weight;
    bad_probes += weight * entry.probes;
    bad_hits += weight * entry.hits;
  }
  const double base_probes = std::max(probes - bad_probes, kSmallest);
  round.next.share = fixed.share.value_or(bad_ports / ports);
  round.next.bad = fixed.bad.value_or(bad_hits / std::max(bad_probes, kSmallest));
  round.next.base = std::max(0.0, hits - bad_hits) / base_probes;
  return round;
}

struct Fit {
  Parameters at;
  double log_likelihood = -1e300;
};

Fit climb(const std::vector<Entry>& entries, Parameters start, const Fixed& fixed) {
  Fit fit{start, -1e300};
  for (int i = 0; i < kMostRounds; ++i) {
    const Round round = improve(entries, fit.at, fixed);
    const double gain = round.log_likelihood - fit.log_likelihood;
    fit.log_likelihood = round.log_likelihood;
    if (gain < kConverged) break;
    fit.at = round.next;
  }
  return fit;
}

Fit best_fit(const std::vector<Entry>& entries, double mean, const Fixed& fixed) {
  Fit best;
  for (const double share : kStartingShares) {
    const double f = fixed.share.value_or(share);
    const Parameters start{f, fixed.bad.value_or(std::min(0.99, mean / std::max(f, 0.01))), 0.3 * mean};
    Fit fit = climb(entries, start, fixed);
    if (fit.log_likelihood > best.log_likelihood) best = fit;
  }
  return best;
}

// The end of the interval between `inside`, the estimate, and `outside`, on a scale of odds.
template <typename Fix>
double profile_end(const std::vector<Entry>& entries, double mean, const Fit& best, double inside, double outside,
                   Fix fix) {
  const auto loss_at = [&](double value) {
    const Fixed fixed = fix(value);
    // From the best fit as well, so that no worse local maximum is taken.
    Parameters start = best.at;
    start.share = fixed.share.value_or(start.share);
    start.bad = fixed.bad.value_or(start.bad);
    const double reached =
        std::max(best_fit(entries, mean, fixed).log_likelihood, climb(entries, start, fixed).log_likelihood);
    return best.log_likelihood - reached;
  };
  if (loss_at(outside) < kHalfChiSquare) return outside;
  double near = std::log(inside / (1.0 - inside));
  double far = std::log(outside / (1.0 - outside));
  constexpr double kPrecise = 0.005;  // relative
  while (std::fabs(far - near) > kPrecise) {
    const double middle = 0.5 * (near + far);
    (loss_at(1.0 / (1.0 + std::exp(-middle))) < kHalfChiSquare ? near : far) = middle;
  }
  return 1.0 / (1.0 + std::exp(-0.5 * (near + far)));
}

}  // namespace

Mixture fit_mixture(std::span<const HitCount> ports) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> grouped;
  for (const HitCount& port : ports) {
    if (port.probes > 0) grouped[{port.probes, port.hits}] += 1.0;
  }
  std::vector<Entry> entries;
  double probes = 0.0;
  double hits = 0.0;
  for (const auto& [counts, number] : grouped) {
    entries.push_back({static_cast<double>(counts.first), static_cast<double>(counts.second), number});
    probes += number * entries.back().probes;
    hits += number * entries.back().hits;
  }
  Mixture mixture;
  if (hits <= 0.0) return mixture;
  const double mean = hits / probes;
  Fit best = best_fit(entries, mean, {});
  if (best.at.bad < best.at.base) {
    best.at = {1.0 - best.at.share, best.at.base, best.at.bad};
  }
  mixture.share = best.at.share;
  mixture.bad_rate = best.at.bad;
  mixture.base_rate = best.at.base;
  mixture.log_likelihood = best.log_likelihood;
  constexpr double kEdge = 1e-6;
  const double share = std::clamp(mixture.share, 2 * kEdge, 1.0 - 2 * kEdge);
  const double bad = std::clamp(mixture.bad_rate, 2 * kEdge, 1.0 - 2 * kEdge);
  const auto fix_share = [](double value) { return Fixed{value, std::nullopt}; };
  const auto fix_bad = [](double value) { return Fixed{std::nullopt, value}; };
  mixture.share_interval = {profile_end(entries, mean, best, share, kEdge, fix_share),
                            profile_end(entries, mean, best, share, 1.0 - kEdge, fix_share)};
  mixture.bad_rate_interval = {profile_end(entries, mean, best, bad, kEdge, fix_bad),
                               profile_end(entries, mean, best, bad, 1.0 - kEdge, fix_bad)};
  return mixture;
}

double bad_probability(const Mixture& mixture, const HitCount& port) {
  const Entry entry{static_cast<double>(port.probes), static_cast<double>(port.hits), 1.0};
  const auto [bad, base] = log_parts(entry, {mixture.share, mixture.bad_rate, mixture.base_rate});
  return 1.0 / (1.0 + std::exp(base - bad));
}

}  // namespace volley::diagnosis

// From results by port to the blind search and back. Pure; any thread.
#include "volley/diagnosis/bound_search.h"

#include <cmath>

#include "volley/diagnosis/slow_levels.h"

namespace volley::diagnosis {
namespace {

// Below this, a list of ports has no bits to speak of.
constexpr std::size_t kFewestPorts = 8;

struct OffsetCounts {
  std::vector<std::uint32_t> probes;
  std::vector<std::uint32_t> hits;
};

// By offset in the plan's block; empty if a port lies outside it.
OffsetCounts by_offset(const Subject& subject, const Indicator& indicator) {
  const std::size_t size = std::size_t{1} << subject.plan.port_bits;
  OffsetCounts counts{std::vector<std::uint32_t>(size, 0), std::vector<std::uint32_t>(size, 0)};
  const std::vector<stats::PortResult>& ports = subject.destination().ports;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::size_t offset = static_cast<std::size_t>(ports[i].port) - subject.plan.port_base;
    if (offset >= size) return {};
    counts.probes[offset] = static_cast<std::uint32_t>(indicator.ports[i].probes);
    counts.hits[offset] = static_cast<std::uint32_t>(indicator.ports[i].hits);
  }
  return counts;
}

}  // namespace

HitCount Indicator::total() const {
  HitCount sum;
  for (const HitCount& port : ports) {
    sum.probes += port.probes;
    sum.hits += port.hits;
  }
  return sum;
}

Indicator loss_indicator(const Subject& subject) {
  Indicator indicator{0, subject.log_price(), {}};
  for (const stats::PortResult& port : subject.destination().ports) {
    indicator.ports.push_back({port.answered + port.lost, port.lost});
  }
  return indicator;
}

std::vector<Indicator> slow_indicators(const Subject& subject, const std::vector<stats::SlowReply>& explained) {
  std::vector<Indicator> indicators;
  const double log_price = subject.log_price() + std::log(static_cast<double>(kSlowLevels));
  for (const SlowLevel& level : choose_slow_levels(subject.destination(), explained)) {
    Indicator indicator{level.threshold_ns, log_price, {}};
    for (std::size_t i = 0; i < level.hits.size(); ++i) {
      indicator.ports.push_back({subject.destination().ports[i].rtt_count, level.hits[i]});
    }
    indicators.push_back(std::move(indicator));
  }
  return indicators;
}

bool BoundSearch::is_bound() const {
  return log_p < -kBlindLimit;
}

std::optional<BoundSearch> search_ports(const Subject& subject, const Indicator& indicator) {
  if (indicator.ports.size() < kFewestPorts) return std::nullopt;
  const OffsetCounts counts = by_offset(subject, indicator);
  if (counts.probes.empty()) return std::nullopt;
  auto match = find_blind_match(PortSpectrum(counts.probes, counts.hits));
  if (!match) return std::nullopt;
  BoundSearch search{std::move(*match), std::nullopt, 0.0, {}};
  search.log_p = std::min(0.0, indicator.log_price - search.match.score);
  if (!search.is_bound()) return search;
  auto structure = find_blind_structure(counts.probes, counts.hits);
  const bool is_linear = structure && structure->score - indicator.log_price > kBlindLimit;
  if (is_linear) search.structure = std::move(structure);
  for (std::size_t i = 0; i < indicator.ports.size(); ++i) {
    const std::uint32_t offset =
        static_cast<std::uint32_t>(subject.destination().ports[i].port - subject.plan.port_base);
    search.inside.push_back(is_linear ? search.structure->contains(offset) : indicator.ports[i].hits > 0);
  }
  return search;
}

HitCount count_where(const Indicator& indicator, const std::vector<bool>& inside, bool value) {
  HitCount sum;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != value) continue;
    sum.probes += indicator.ports[i].probes;
    sum.hits += indicator.ports[i].hits;
  }
  return sum;
}

}  // namespace volley::diagnosis

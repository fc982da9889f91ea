// Transforms of probes and hits over port bits. Pure; any thread.
#include "volley/diagnosis/port_spectrum.h"

#include <bit>
#include <cmath>

#include "volley/diagnosis/gf2.h"
#include "volley/diagnosis/walsh.h"

namespace volley::diagnosis {

PortSpectrum::PortSpectrum(std::span<const std::uint32_t> probes, std::span<const std::uint32_t> hits)
    : bits_(static_cast<unsigned>(std::bit_width(probes.size())) - 1U),
      mask_(static_cast<std::uint32_t>(probes.size() - 1U)),
      probes_transform_(probes.begin(), probes.end()),
      hits_transform_(hits.begin(), hits.end()),
      energy_(probes.size(), 0.0) {
  for (const std::uint32_t count : probes) total_.probes += count;
  for (const std::uint32_t count : hits) total_.hits += count;
  const double mean = total_.probes == 0 ? 0.0 : static_cast<double>(total_.hits) / static_cast<double>(total_.probes);
  double variance = 0.0;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    const double excess = hits_transform_[i] - mean * probes_transform_[i];
    variance += excess * excess;
  }
  walsh_hadamard(probes_transform_);
  walsh_hadamard(hits_transform_);
  if (variance <= 0.0) return;
  for (std::size_t f = 1; f < energy_.size(); ++f) {
    const double excess = hits_transform_[f] - mean * probes_transform_[f];
    energy_[f] = excess * excess / variance;
  }
}

std::vector<HitCount> PortSpectrum::cosets(std::span<const std::uint32_t> rows) const {
  const std::vector<std::uint32_t> sums = subset_sums(rows);
  std::vector<double> probes(sums.size());
  std::vector<double> hits(sums.size());
  for (std::size_t a = 0; a < sums.size(); ++a) {
    probes[a] = probes_transform_[sums[a]];
    hits[a] = hits_transform_[sums[a]];
  }
  // The transform restricted to the span of the rows is the transform of the
  // sums over cosets.
  walsh_hadamard(probes);
  walsh_hadamard(hits);
  const double scale = 1.0 / static_cast<double>(sums.size());
  std::vector<HitCount> counts(sums.size());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    counts[c] = {static_cast<std::uint64_t>(std::llround(probes[c] * scale)),
                 static_cast<std::uint64_t>(std::llround(hits[c] * scale))};
  }
  return counts;
}

}  // namespace volley::diagnosis

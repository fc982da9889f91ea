// Scores candidates and keeps the best. Pure; any thread.
#include "volley/diagnosis/blind.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/gf2.h"
#include "volley/diagnosis/port_marks.h"

namespace volley::diagnosis {
namespace {

double rate(const HitCount& count) {
  return static_cast<double>(count.hits) / static_cast<double>(count.probes);
}

std::uint32_t coset_of(std::span<const std::uint32_t> rows, std::uint32_t offset) {
  std::uint32_t coset = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) coset |= parity(rows[j] & offset) << j;
  return coset;
}

}  // namespace

bool BlindMatch::contains(std::uint32_t offset) const {
  const std::uint32_t coset = coset_of(rows, offset);
  return std::find(bad_cosets.begin(), bad_cosets.end(), coset) != bad_cosets.end();
}

BlindMatch evaluate(const PortSpectrum& spectrum, const Candidate& candidate) {
  const std::vector<HitCount> counts = spectrum.cosets(candidate.rows);
  std::vector<std::uint32_t> order;
  for (std::uint32_t c = 0; c < counts.size(); ++c) {
    if (counts[c].hits > 0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return rate(counts[a]) > rate(counts[b]); });
  const auto rows = static_cast<unsigned>(candidate.rows.size());
  const double price = std::numbers::ln2 + std::log(static_cast<double>(kMostIndexBits)) +
                       log_family_size(candidate.family, spectrum.bits(), rows);
  const HitCount& total = spectrum.total();
  BlindMatch best{-price, candidate.family, candidate.rows, {}, {}, total};
  HitCount inside;
  std::size_t best_size = 0;
  const std::size_t most = std::min(order.size(), counts.size() / 2);
  for (std::size_t size = 1; size <= most; ++size) {
    inside.probes += counts[order[size - 1]].probes;
    inside.hits += counts[order[size - 1]].hits;
    const double log_tail = log_hypergeometric_upper_bound({total.probes, total.hits, inside.probes}, inside.hits);
    const double j = static_cast<double>(size);
    const double score = -log_tail - price - log_choose(counts.size(), size) - std::log(j * (j + 1.0));
    if (best_size != 0 && score <= best.score) continue;
    best.score = score;
    best.inside = inside;
    best_size = size;
  }
  best.bad_cosets.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best_size));
  return best;
}

std::optional<BlindMatch> find_blind_match(const PortSpectrum& spectrum) {
  const HitCount& total = spectrum.total();
  if (total.hits < kFewestHits || total.hits == total.probes || spectrum.bits() == 0) return std::nullopt;
  std::vector<Candidate> candidates = toeplitz_candidates(spectrum);
  std::vector<Candidate> general = general_candidates(spectrum);
  std::move(general.begin(), general.end(), std::back_inserter(candidates));
  std::optional<BlindMatch> best;
  for (const Candidate& candidate : candidates) {
    BlindMatch match = evaluate(spectrum, candidate);
    if (!best || match.score > best->score) best = std::move(match);
  }
  return best;
}

std::optional<BlindMatch> find_blind_structure(std::span<const std::uint32_t> probes,
                                               std::span<const std::uint32_t> hits) {
  std::vector<std::uint64_t> hits_of_probed;
  std::vector<std::uint32_t> ports(probes.size(), 0);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (probes[i] == 0) continue;
    ports[i] = 1;
    hits_of_probed.push_back(hits[i]);
  }
  const std::vector<std::uint8_t> marks_of_probed = mark_ports(hits_of_probed);
  std::vector<std::uint32_t> marks(probes.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (ports[i] != 0) marks[i] = marks_of_probed[next++];
  }
  return find_blind_match(PortSpectrum(ports, marks));
}

}  // namespace volley::diagnosis

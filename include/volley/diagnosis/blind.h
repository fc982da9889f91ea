// The search for a bad queue without knowing the target's RSS: a set of source
// ports that a linear hash puts together and that hit more often than the rest.
//
// Exact on all the data: the score is -ln of a hypergeometric tail less the
// logarithm of all hypotheses that could have been looked at (STATISTICS
// section 1), so exp(-score) bounds the p-value without a split of the data.
// It holds if the order of the ports was drawn at random. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "volley/diagnosis/port_spectrum.h"
#include "volley/diagnosis/subspace_candidates.h"

namespace volley::diagnosis {

// Fewer hits can't reach any certainty.
inline constexpr std::uint64_t kFewestHits = 3;

// A score above it is a p-value below 1e-3.
inline constexpr double kBlindLimit = 6.907755278982137;  // ln 1000

struct BlindMatch {
  double score = 0.0;  // natural logarithms; may be negative
  Family family = Family::general;
  std::vector<std::uint32_t> rows;        // linear functions of the port's offset
  std::vector<std::uint32_t> bad_cosets;  // by falling rate of hits
  HitCount inside;                        // of the ports in bad cosets
  HitCount total;

  // The bit of `coset` is set for the bad ones.
  bool contains(std::uint32_t offset) const;
  unsigned index_bits() const { return static_cast<unsigned>(rows.size()); }
  double log_p() const { return score > 0.0 ? -score : 0.0; }
};

// The best of everything looked at; nullopt with fewer than kFewestHits hits,
// or where all hit.
std::optional<BlindMatch> find_blind_match(const PortSpectrum& spectrum);

// The best set of bad cosets of one candidate, with its score.
BlindMatch evaluate(const PortSpectrum& spectrum, const Candidate& candidate);

// The same with the port as the unit of chance: is it a linear hash, or are
// single flows bad? `probes` and `hits` by offset.
std::optional<BlindMatch> find_blind_structure(std::span<const std::uint32_t> probes,
                                               std::span<const std::uint32_t> hits);

}  // namespace volley::diagnosis

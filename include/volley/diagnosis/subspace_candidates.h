// Candidates for the linear functions of the port bits that a bad queue hangs on.
//
// Two families (STATISTICS section 1): rows that are shifts of each other, as
// Toeplitz makes them, and any subspace. Found greedily by the energy of the
// spectrum; what they miss costs power, never truth, since the price is for the
// whole family. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/diagnosis/port_spectrum.h"

namespace volley::diagnosis {

// Most index bits that are looked for: tables of up to 512 entries.
inline constexpr unsigned kMostIndexBits = 9;

enum class Family : std::uint8_t { toeplitz, general };

struct Candidate {
  Family family = Family::general;
  std::vector<std::uint32_t> rows;  // independent
};

std::vector<Candidate> toeplitz_candidates(const PortSpectrum& spectrum);
std::vector<Candidate> general_candidates(const PortSpectrum& spectrum);

// ln of the number of members of the family with `rows` rows over `bits` port bits.
double log_family_size(Family family, unsigned bits, unsigned rows);

}  // namespace volley::diagnosis

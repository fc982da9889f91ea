// The hits over a block of source ports, and their Walsh-Hadamard transform.
//
// Immutable once made; any thread. Ports are given by their offset in an
// aligned block of 2^bits; a port that was not probed has no probes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volley::diagnosis {

// Probes and hits of a set of ports.
struct HitCount {
  std::uint64_t probes = 0;
  std::uint64_t hits = 0;
};

class PortSpectrum {
 public:
  // Both of size 2^bits.
  PortSpectrum(std::span<const std::uint32_t> probes, std::span<const std::uint32_t> hits);

  unsigned bits() const { return bits_; }
  std::uint32_t mask() const { return mask_; }
  const HitCount& total() const { return total_; }

  // Share of the hits' variance over ports that the linear function `f` of the
  // port bits explains; 0 for f = 0. The whole adds up to 2^bits.
  double energy(std::uint32_t f) const { return energy_[f]; }
  std::span<const double> energies() const { return energy_; }

  // Counts of the 2^k sets of ports that agree in k linear functions: bit j of
  // the index is the parity of rows[j] & offset. Costs 2^k steps, not 2^bits.
  std::vector<HitCount> cosets(std::span<const std::uint32_t> rows) const;

 private:
  unsigned bits_ = 0;
  std::uint32_t mask_ = 0;
  HitCount total_;
  std::vector<double> probes_transform_;
  std::vector<double> hits_transform_;
  std::vector<double> energy_;
};

}  // namespace volley::diagnosis

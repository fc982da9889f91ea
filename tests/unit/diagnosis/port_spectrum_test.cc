// Tests of diagnosis/port_spectrum: sums over cosets are what counting gives. One thread.
#include "volley/diagnosis/port_spectrum.h"

#include <catch2/catch.hpp>
#include <random>

#include "port_counts.h"
#include "volley/diagnosis/gf2.h"

using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

TEST_CASE("coset counts equal counts over ports, with holes in the block too") {
  std::mt19937_64 random(3);
  PortCounts counts = draw_counts(9, 3000, random, [](std::uint32_t i) { return i % 7 == 0 ? 0.3 : 0.02; });
  for (std::size_t i = 0; i < counts.probes.size(); i += 31) counts.probes[i] = counts.hits[i] = 0;
  const PortSpectrum spectrum(counts.probes, counts.hits);
  CHECK(spectrum.bits() == 9);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint32_t> rows(1 + static_cast<std::size_t>(round) % 5);
    for (std::uint32_t& row : rows) row = static_cast<std::uint32_t>(random() & 0x1ffU);
    std::vector<HitCount> expected(std::size_t{1} << rows.size());
    for (std::uint32_t i = 0; i < counts.probes.size(); ++i) {
      std::size_t coset = 0;
      for (std::size_t j = 0; j < rows.size(); ++j) coset |= std::size_t{parity(rows[j] & i)} << j;
      expected[coset].probes += counts.probes[i];
      expected[coset].hits += counts.hits[i];
    }
    // Dependent rows leave cosets empty: the formula for independent ones spreads
    // what is there, so only independent rows are compared.
    if (Subspace(rows).dimension() < rows.size()) continue;
    const std::vector<HitCount> found = spectrum.cosets(rows);
    for (std::size_t c = 0; c < expected.size(); ++c) {
      REQUIRE(found[c].probes == expected[c].probes);
      REQUIRE(found[c].hits == expected[c].hits);
    }
  }
}

TEST_CASE("the energies of all functions add up to the number of ports") {
  std::mt19937_64 random(4);
  const PortCounts counts = draw_counts(8, 2560, random, [](std::uint32_t) { return 0.05; });
  const PortSpectrum spectrum(counts.probes, counts.hits);
  double sum = 0.0;
  for (const double energy : spectrum.energies()) sum += energy;
  CHECK(sum == Approx(256.0).epsilon(1e-9));
  CHECK(spectrum.energy(0) == 0.0);
}

TEST_CASE("a block without hits, or without probes, has no energy") {
  const std::vector<std::uint32_t> none(16, 0);
  const std::vector<std::uint32_t> ten(16, 10);
  for (const PortSpectrum& spectrum : {PortSpectrum(ten, none), PortSpectrum(none, none), PortSpectrum(ten, ten)}) {
    for (const double energy : spectrum.energies()) CHECK(energy == 0.0);
  }
}

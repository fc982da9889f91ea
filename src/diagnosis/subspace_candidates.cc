// Beam searches over windows and subspaces. Pure; any thread.
#include "volley/diagnosis/subspace_candidates.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "volley/diagnosis/gf2.h"

namespace volley::diagnosis {
namespace {

// Beam widths: wide enough that the tables of STATISTICS section 1 are reached.
constexpr std::size_t kWindowBeam = 512;
constexpr std::size_t kWindowsEvaluated = 24;
constexpr std::size_t kBestFunctions = 256;
constexpr std::size_t kSubspaceBeam = 32;
constexpr std::size_t kChildren = 8;  // of one subspace
constexpr std::size_t kSubspacesEvaluated = 16;

unsigned most_rows(const PortSpectrum& spectrum) {
  return std::min(kMostIndexBits, spectrum.bits() == 0 ? 0U : spectrum.bits() - 1U);
}

// --- windows: row j is bits j .. j + d - 1 of the word ---

struct Window {
  std::uint32_t word = 0;
  float energy = 0.0F;
};

float window_energy(const PortSpectrum& spectrum, std::uint32_t word, unsigned rows) {
  const std::uint32_t mask = spectrum.mask();
  std::uint32_t sum = 0;
  double energy = 0.0;
  for (std::uint32_t step = 1; step < (1U << rows); ++step) {
    sum ^= (word >> static_cast<unsigned>(std::countr_zero(step))) & mask;  // Gray code
    energy += spectrum.energy(sum);
  }
  return static_cast<float>(energy);
}

void keep_best(std::vector<Window>& windows, std::size_t count) {
  const auto is_better = [](const Window& a, const Window& b) {
    return a.energy != b.energy ? a.energy > b.energy : a.word < b.word;
  };
  if (windows.size() > count) {
    std::nth_element(windows.begin(), windows.begin() + static_cast<std::ptrdiff_t>(count), windows.end(), is_better);
    windows.resize(count);
  }
  std::sort(windows.begin(), windows.end(), is_better);
}

std::vector<Window> all_windows(const PortSpectrum& spectrum, unsigned rows) {
  std::vector<Window> windows(std::size_t{1} << (spectrum.bits() - 1U + rows));
  for (std::uint32_t word = 0; word < windows.size(); ++word) {
    windows[word] = {word, window_energy(spectrum, word, rows)};
  }
  return windows;
}

// One more row at either end: the window grows by a bit.
std::vector<Window> extended(const PortSpectrum& spectrum, const std::vector<Window>& parents, unsigned rows) {
  std::vector<std::uint32_t> words;
  for (const Window& parent : parents) {
    for (const std::uint32_t bit : {0U, 1U}) {
      words.push_back(parent.word | bit << (spectrum.bits() - 1U + rows));
      words.push_back(parent.word << 1U | bit);
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<Window> windows;
  for (const std::uint32_t word : words) windows.push_back({word, window_energy(spectrum, word, rows + 1)});
  return windows;
}

void add_windows(const PortSpectrum& spectrum, const std::vector<Window>& windows, unsigned rows,
                 std::vector<Candidate>& candidates) {
  std::size_t added = 0;
  for (const Window& window : windows) {
    Candidate candidate{Family::toeplitz, {}};
    for (unsigned j = 0; j < rows; ++j) candidate.rows.push_back((window.word >> j) & spectrum.mask());
    if (Subspace(candidate.rows).dimension() < rows) continue;
    candidates.push_back(std::move(candidate));
    if (++added == kWindowsEvaluated) break;
  }
}

// --- any subspace ---

struct Grown {
  Subspace space;
  double energy = 0.0;
};

void keep_best(std::vector<Grown>& spaces, std::size_t count) {
  std::sort(spaces.begin(), spaces.end(), [](const Grown& a, const Grown& b) {
    return a.energy != b.energy ? a.energy > b.energy : a.space < b.space;
  });
  // The same subspace is found along several ways, with the same energy up to rounding.
  std::vector<Grown> best;
  for (Grown& grown : spaces) {
    const bool is_known = std::any_of(best.begin(), best.end(), [&](const Grown& b) { return b.space == grown.space; });
    if (!is_known) best.push_back(std::move(grown));
    if (best.size() == count) break;
  }
  spaces = std::move(best);
}

std::vector<std::uint32_t> best_functions(const PortSpectrum& spectrum) {
  std::vector<std::uint32_t> functions(spectrum.energies().size() - 1U);
  std::iota(functions.begin(), functions.end(), 1U);
  const auto is_better = [&](std::uint32_t a, std::uint32_t b) {
    return spectrum.energy(a) != spectrum.energy(b) ? spectrum.energy(a) > spectrum.energy(b) : a < b;
  };
  const std::size_t count = std::min(kBestFunctions, functions.size());
  std::partial_sort(functions.begin(), functions.begin() + static_cast<std::ptrdiff_t>(count), functions.end(),
                    is_better);
  functions.resize(count);
  return functions;
}

std::vector<Grown> best_planes(const PortSpectrum& spectrum, const std::vector<std::uint32_t>& functions) {
  struct Pair {
    std::uint32_t f = 0;
    std::uint32_t g = 0;
    double energy = 0.0;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    for (std::size_t j = i + 1; j < functions.size(); ++j) {
      const std::uint32_t f = functions[i];
      const std::uint32_t g = functions[j];
      pairs.push_back({f, g, spectrum.energy(f) + spectrum.energy(g) + spectrum.energy(f ^ g)});
    }
  }
  // A plane is made by three pairs at most.
  const std::size_t count = std::min(pairs.size(), 3 * kSubspaceBeam);
  std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count), pairs.end(),
                    [](const Pair& a, const Pair& b) { return a.energy > b.energy; });
  std::vector<Grown> planes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t vectors[] = {pairs[i].f, pairs[i].g};
    planes.push_back({Subspace(vectors), pairs[i].energy});
  }
  keep_best(planes, kSubspaceBeam);
  return planes;
}

// The best subspaces with one dimension more that hold `parent`.
void add_children(const PortSpectrum& spectrum, const Grown& parent, std::vector<Grown>& children) {
  const std::vector<std::uint32_t> members = parent.space.members();
  const std::uint32_t free_bits = spectrum.mask() & ~parent.space.pivots();
  struct Addition {
    std::uint32_t f = 0;
    double energy = 0.0;
  };
  std::vector<Addition> best;  // at most kChildren, by falling energy
  // All non-zero words within the free bits, in rising order.
  for (std::uint32_t f = (0U - free_bits) & free_bits; f != 0; f = (f - free_bits) & free_bits) {
    double energy = 0.0;
    for (const std::uint32_t member : members) energy += spectrum.energy(f ^ member);
    if (best.size() == kChildren && energy <= best.back().energy) continue;
    const auto place = std::find_if(best.begin(), best.end(), [&](const Addition& a) { return energy > a.energy; });
    best.insert(place, {f, energy});
    if (best.size() > kChildren) best.pop_back();
  }
  for (const Addition& addition : best) {
    Grown child = parent;
    child.space.insert(addition.f);
    child.energy += addition.energy;
    children.push_back(std::move(child));
  }
}

}  // namespace

std::vector<Candidate> toeplitz_candidates(const PortSpectrum& spectrum) {
  std::vector<Candidate> candidates;
  std::vector<Window> windows;
  // Two rows and three are looked through whole; from three on the best grow.
  constexpr unsigned kExhaustiveRows = 3;
  for (unsigned rows = 2; rows <= most_rows(spectrum); ++rows) {
    windows = rows <= kExhaustiveRows ? all_windows(spectrum, rows) : extended(spectrum, windows, rows - 1);
    keep_best(windows, kWindowBeam);
    add_windows(spectrum, windows, rows, candidates);
  }
  return candidates;
}

std::vector<Candidate> general_candidates(const PortSpectrum& spectrum) {
  std::vector<Candidate> candidates;
  if (spectrum.bits() == 0) return candidates;
  const std::vector<std::uint32_t> functions = best_functions(spectrum);
  for (std::size_t i = 0; i < std::min(kSubspacesEvaluated, functions.size()); ++i) {
    candidates.push_back({Family::general, {functions[i]}});
  }
  std::vector<Grown> spaces = best_planes(spectrum, functions);
  for (unsigned rows = 2; rows <= most_rows(spectrum) && !spaces.empty(); ++rows) {
    if (rows > 2) {
      std::vector<Grown> children;
      for (const Grown& parent : spaces) add_children(spectrum, parent, children);
      keep_best(children, kSubspaceBeam);
      spaces = std::move(children);
    }
    for (std::size_t i = 0; i < std::min(kSubspacesEvaluated, spaces.size()); ++i) {
      candidates.push_back({Family::general, spaces[i].space.rows()});
    }
  }
  return candidates;
}

double log_family_size(Family family, unsigned bits, unsigned rows) {
  switch (family) {
    case Family::toeplitz:
      return static_cast<double>(bits - 1U + rows) * std::numbers::ln2;
    case Family::general:
      return log_subspaces(bits, rows);
  }
  return 0.0;
}

}  // namespace volley::diagnosis

// Marks ports by their hits. Pure; any thread.
#include "volley/diagnosis/port_marks.h"

#include <algorithm>

namespace volley::diagnosis {

std::vector<std::uint8_t> mark_ports(std::span<const std::uint64_t> hits) {
  std::vector<std::uint8_t> marks(hits.size(), 0);
  if (hits.empty()) return marks;
  std::vector<std::uint64_t> falling(hits.begin(), hits.end());
  const std::size_t most = hits.size() * 6 / 10;  // may be marked
  const auto place = falling.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(falling.begin(), place, falling.end(), std::greater<>());
  // The hits of the first port that may not be marked: one more is needed.
  const std::uint64_t threshold = *place + 1;
  for (std::size_t i = 0; i < hits.size(); ++i) marks[i] = hits[i] >= threshold ? 1 : 0;
  return marks;
}

}  // namespace volley::diagnosis

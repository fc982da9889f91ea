// Fills the port index; any thread. Invariant: places count up with the ports.
#include "volley/stats/port_index.h"

namespace volley::stats {

PortIndex::PortIndex(const std::vector<std::uint16_t>& ports) : size_(ports.size()) {
  if (ports.empty()) return;
  first_ = ports.front();
  places_.assign(static_cast<std::size_t>(ports.back()) - first_ + 1, kNone);
  for (std::size_t place = 0; place < ports.size(); ++place) {
    places_[ports[place] - first_] = static_cast<std::uint16_t>(place);
  }
}

}  // namespace volley::stats

// How large the capture rings of a run are.
//
// A ring must hold what comes while the receiver thread is kept from its CPU.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace volley::net {

struct RingRequest {
  double rate_pps = 0;            // of the whole run; 0: as fast as the machine goes
  std::uint32_t interfaces = 1;   // that probes leave by
  std::uint32_t queue_rings = 1;  // rings that share one interface's arrivals
  std::uint32_t slot_bytes = 0;   // one captured frame in the ring
};

struct RingSizes {
  std::size_t departures_bytes = 0;  // one interface's departures
  std::size_t arrivals_bytes = 0;    // each of its arrival rings
  std::size_t elsewhere_bytes = 0;   // the one ring for all other interfaces
  bool is_within_budget = true;      // false: this many rings would be too small or too much memory

  std::size_t total_bytes(const RingRequest& request) const;
};

// Departures: two frames a probe (probe and reset), for kStallCovered; arrivals:
// the same time at 1.5 frames a probe, all in one queue, unless that exceeds the
// budget: then the budget divided, yet never under kShortestStall at 20,000/s. The budget
// of all rings is 8 MB up to 1,000/s, 32 MB at 20,000/s, 128 MB at most.
RingSizes size_rings(const RingRequest& request);

}  // namespace volley::net

// When a target sends its SYN-ACK again: the windows of DESIGN rule 5.
//
// A Linux target whose SYN-ACK was lost sends it again 1, 3 and 7 s after the
// first, a little late by its timer's grain. Seen from here that is the same
// plus the round trip, of which this keeps an estimate for each destination.
// Receiver thread only.
#pragma once

#include <cstdint>
#include <vector>

namespace volley::probe {

class ResendWindows {
 public:
  explicit ResendWindows(std::size_t destinations) : trips_(destinations) {}

  void note_rtt(std::uint32_t destination, std::int64_t rtt_ns);

  // An answer that came this long after its probe left falls in a window.
  bool hold(std::uint32_t destination, std::int64_t elapsed_ns) const;

  // The shortest round trip so far; 0: none yet.
  std::int64_t min_rtt_ns(std::uint32_t destination) const { return trips_[destination].min_ns; }

 private:
  // Smoothed as RFC 6298 has it.
  struct Trip {
    std::int64_t min_ns = 0;  // 0: none yet
    std::int64_t smoothed_ns = 0;
    std::int64_t variation_ns = 0;
  };

  std::vector<Trip> trips_;
};

}  // namespace volley::probe

// Windows of resent SYN-ACKs. Receiver thread only.
#include "volley/probe/half_open.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace volley::probe {

namespace {

constexpr std::int64_t kMs = 1'000'000;

struct Window {
  std::int64_t first_ns;
  std::int64_t last_ns;
};

// After the first SYN-ACK. Linux doubles a timeout of 1 s; its timer wheel
// rounds up, by more the longer the wait (measured: up to 0.35 s at 7 s).
constexpr std::array<Window, 3> kWindows = {
    {{1000 * kMs, 1060 * kMs}, {3000 * kMs, 3060 * kMs}, {7000 * kMs, 7350 * kMs}}};

// The round trip that is allowed for while none was measured.
constexpr std::int64_t kUnknownRttNs = 250 * kMs;
constexpr std::int64_t kClockGrainNs = 1 * kMs;

}  // namespace

void ResendWindows::note_rtt(std::uint32_t destination, std::int64_t rtt_ns) {
  Trip& trip = trips_[destination];
  const std::int64_t rtt = std::max<std::int64_t>(rtt_ns, 1);
  if (trip.min_ns == 0) {
    trip = {rtt, rtt, rtt / 2};
    return;
  }
  trip.min_ns = std::min(trip.min_ns, rtt);
  trip.variation_ns += (std::abs(rtt - trip.smoothed_ns) - trip.variation_ns) / 4;
  trip.smoothed_ns += (rtt - trip.smoothed_ns) / 8;
}

bool ResendWindows::hold(std::uint32_t destination, std::int64_t elapsed_ns) const {
  const Trip& trip = trips_[destination];
  const std::int64_t longest_ns =
      trip.min_ns == 0 ? kUnknownRttNs : trip.smoothed_ns + 4 * trip.variation_ns + kClockGrainNs;
  return std::any_of(kWindows.begin(), kWindows.end(), [&](const Window& window) {
    return elapsed_ns >= window.first_ns + trip.min_ns - kClockGrainNs && elapsed_ns <= window.last_ns + longest_ns;
  });
}

}  // namespace volley::probe

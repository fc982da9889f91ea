// Interarrival jitter over replies in the order of their arrival.
//
// RFC 3550 section 6.4.1: J += (|D| - J) / 16, where D is the change of the
// transit time from one packet to the next; for probes that is the change of
// the RTT. One thread at a time.
#pragma once

#include <cmath>
#include <cstdint>

namespace volley::stats {

class Jitter {
 public:
  void record(std::int64_t rtt_ns) {
    if (has_previous_) {
      const auto change = static_cast<double>(rtt_ns > previous_ns_ ? rtt_ns - previous_ns_ : previous_ns_ - rtt_ns);
      jitter_ns_ += (change - jitter_ns_) * kGain;
    }
    previous_ns_ = rtt_ns;
    has_previous_ = true;
  }
  std::int64_t value_ns() const { return std::llround(jitter_ns_); }

 private:
  static constexpr double kGain = 1.0 / 16.0;  // RFC 3550 section 6.4.1
  std::int64_t previous_ns_ = 0;
  bool has_previous_ = false;
  double jitter_ns_ = 0.0;
};

}  // namespace volley::stats

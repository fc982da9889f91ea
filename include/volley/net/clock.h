// The only place that reads a clock, and the sleep until a deadline.
//
// Both clocks are nanoseconds; CLOCK_MONOTONIC paces, CLOCK_REALTIME is the
// clock of the capture stamps. The kernel slews both alike, so their difference
// changes only when the wall clock is stepped (or the machine slept). The
// functions may be called by any thread; a ClockStepDetector and a
// DeadlineWaiter belong to one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "volley/net/stop_event.h"

namespace volley::net {

std::int64_t monotonic_ns();
std::int64_t wall_ns();

// CPU time that the calling thread has used.
std::int64_t thread_cpu_ns();

// Both clocks at one moment.
struct ClockPair {
  std::int64_t monotonic_ns = 0;
  std::int64_t wall_ns = 0;
  std::int64_t uncertainty_ns = 0;  // the readings lie at most this far apart
};

// The best of a few tries: a preempted reading is not taken for a step.
ClockPair read_clock_pair();

// The wall clock was set to another time somewhere between two readings.
struct ClockStep {
  std::int64_t before_ns = 0;  // wall clock of the last reading before it
  std::int64_t after_ns = 0;   // and of the first after it; may be the smaller one
  std::int64_t step_ns = 0;    // how far it was set, forward positive
};

// Pure: is fed with readings in order, tells the steps between them.
class ClockStepDetector {
 public:
  // Steps above this are told. Smaller ones can't be told from a reading that
  // was disturbed, and change no RTT by more than this.
  static constexpr std::chrono::nanoseconds kThreshold = std::chrono::milliseconds(1);

  std::optional<ClockStep> feed(const ClockPair& pair);

 private:
  std::optional<ClockPair> last_;
};

enum class WaitStyle : std::uint8_t {
  sleep,  // leaves the CPU; wakes some microseconds late
  spin,   // --spin: busy for the last kSpin before the deadline
};

enum class WaitResult : std::uint8_t { due, stopped };

// Sleeps until CLOCK_MONOTONIC deadlines; a StopEvent ends the sleep at once.
// Made by the thread that uses it: it asks the kernel for exact timers there.
class DeadlineWaiter {
 public:
  static constexpr std::chrono::nanoseconds kSpin = std::chrono::microseconds(200);

  // `stop` must outlive the waiter.
  DeadlineWaiter(const StopEvent& stop, WaitStyle style);
  WaitResult until(std::int64_t deadline_monotonic_ns) const;

 private:
  const StopEvent& stop_;
  WaitStyle style_;
};

}  // namespace volley::net

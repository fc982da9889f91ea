// Clock readings, the step detector, and the sleep until a deadline.
// Readings: any thread. A waiter and a detector belong to the thread that made them.
#include "volley/net/clock.h"

#include <poll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace volley::net {

namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::int64_t read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::int64_t>(time.tv_sec) * kNsPerSecond + time.tv_nsec;
}

// Tells the CPU that this is a busy wait.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

std::int64_t monotonic_ns() {
  return read_clock(CLOCK_MONOTONIC);
}

std::int64_t wall_ns() {
  return read_clock(CLOCK_REALTIME);
}

std::int64_t thread_cpu_ns() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

ClockPair read_clock_pair() {
  constexpr int kTries = 4;
  constexpr std::int64_t kGoodEnoughNs = 1000;
  ClockPair best;
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t before = monotonic_ns();
    const std::int64_t wall = wall_ns();
    const std::int64_t after = monotonic_ns();
    const ClockPair pair{before + (after - before) / 2, wall, after - before};
    if (i == 0 || pair.uncertainty_ns < best.uncertainty_ns) best = pair;
    if (best.uncertainty_ns <= kGoodEnoughNs) break;
  }
  return best;
}

std::optional<ClockStep> ClockStepDetector::feed(const ClockPair& pair) {
  const std::optional<ClockPair> last = last_;
  last_ = pair;
  if (!last) return std::nullopt;
  const std::int64_t step = (pair.wall_ns - pair.monotonic_ns) - (last->wall_ns - last->monotonic_ns);
  const std::int64_t threshold =
      std::chrono::nanoseconds(kThreshold).count() + last->uncertainty_ns + pair.uncertainty_ns;
  if (std::abs(step) <= threshold) {
    // Keep the better of two readings that agree, so that many small errors don't add up.
    const std::int64_t elapsed = pair.monotonic_ns - last->monotonic_ns;
    if (pair.uncertainty_ns > last->uncertainty_ns) {
      last_ = ClockPair{pair.monotonic_ns, last->wall_ns + elapsed, last->uncertainty_ns};
    }
    return std::nullopt;
  }
  return ClockStep{last->wall_ns, pair.wall_ns, step};
}

DeadlineWaiter::DeadlineWaiter(const StopEvent& stop, WaitStyle style) : stop_(stop), style_(style) {
  // The default slack lets a thread oversleep by 50 microseconds (prctl(2)); 1 ns is the least.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

WaitResult DeadlineWaiter::until(std::int64_t deadline_monotonic_ns) const {
  const std::int64_t spin = style_ == WaitStyle::spin ? std::chrono::nanoseconds(kSpin).count() : 0;
  for (;;) {
    if (stop_.is_requested()) return WaitResult::stopped;
    const std::int64_t remaining = deadline_monotonic_ns - monotonic_ns();
    if (remaining <= 0) return WaitResult::due;
    if (remaining <= spin) {
      relax();
      continue;
    }
    const std::int64_t sleep = remaining - spin;
    const timespec timeout{static_cast<time_t>(sleep / kNsPerSecond), static_cast<long>(sleep % kNsPerSecond)};
    pollfd wake{stop_.descriptor(), POLLIN, 0};
    ppoll(&wake, 1, &timeout, nullptr);
  }
}

}  // namespace volley::net

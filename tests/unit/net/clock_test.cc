// Tests of the clock room: steps told from slew and from disturbed readings,
// waits that end. Readings are made up, except where the waiter needs real ones.
#include "volley/net/clock.h"

#include <catch2/catch.hpp>

using namespace volley::net;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kEpoch = 1'700'000'000 * kSecond;

// Readings `seconds` after the start with the wall clock `offset` away from where it began.
ClockPair at(std::int64_t seconds, std::int64_t offset_ns, std::int64_t uncertainty_ns = 100) {
  return {seconds * kSecond, kEpoch + seconds * kSecond + offset_ns, uncertainty_ns};
}

}  // namespace

TEST_CASE("a clock that runs on has no steps", "[net]") {
  ClockStepDetector detector;
  for (std::int64_t i = 0; i < 100; ++i) CHECK_FALSE(detector.feed(at(i, 0)));
}

TEST_CASE("a step is told once, with its size and both readings", "[net]") {
  const std::int64_t step = GENERATE(2'000'000, -2'000'000, 120 * kSecond, -120 * kSecond);
  ClockStepDetector detector;
  REQUIRE_FALSE(detector.feed(at(0, 0)));
  REQUIRE_FALSE(detector.feed(at(1, 0)));
  const auto told = detector.feed(at(2, step));
  REQUIRE(told);
  CHECK(told->step_ns == step);
  CHECK(told->before_ns == kEpoch + kSecond);
  CHECK(told->after_ns == kEpoch + 2 * kSecond + step);
  CHECK_FALSE(detector.feed(at(3, step)));
  const auto back = detector.feed(at(4, 0));
  REQUIRE(back);
  CHECK(back->step_ns == -step);
}

TEST_CASE("drift within the threshold and disturbed readings are no steps", "[net]") {
  ClockStepDetector detector;
  CHECK_FALSE(detector.feed(at(0, 0)));
  CHECK_FALSE(detector.feed(at(1, 900'000)));
  // Off by 3 ms, but known to be that bad.
  CHECK_FALSE(detector.feed(at(2, 3'900'000, 4'000'000)));
  // The bad reading must not make the good one after it look like a step.
  CHECK_FALSE(detector.feed(at(3, 900'000)));
}

TEST_CASE("both clocks are read at one moment", "[net]") {
  const std::int64_t before = monotonic_ns();
  const ClockPair pair = read_clock_pair();
  const std::int64_t after = monotonic_ns();
  CHECK(pair.monotonic_ns >= before);
  CHECK(pair.monotonic_ns <= after);
  CHECK(pair.uncertainty_ns >= 0);
  CHECK(pair.wall_ns > kEpoch);
  CHECK(thread_cpu_ns() > 0);
}

TEST_CASE("a wait ends at its deadline, not before", "[net]") {
  const StopEvent stop;
  const WaitStyle style = GENERATE(WaitStyle::sleep, WaitStyle::spin);
  const DeadlineWaiter waiter(stop, style);
  CHECK(waiter.until(0) == WaitResult::due);
  const std::int64_t deadline = monotonic_ns() + 500'000;
  CHECK(waiter.until(deadline) == WaitResult::due);
  CHECK(monotonic_ns() >= deadline);
}

TEST_CASE("a stop request ends every wait at once", "[net]") {
  StopEvent stop;
  const DeadlineWaiter waiter(stop, WaitStyle::sleep);
  CHECK_FALSE(stop.is_requested());
  stop.request();
  stop.request();
  CHECK(stop.is_requested());
  CHECK(waiter.until(monotonic_ns() + 3600 * kSecond) == WaitResult::stopped);
}

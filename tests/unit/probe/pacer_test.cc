// Tests of the schedule: exactness, batches, backlog, ends.
#include "volley/probe/pacer.h"

#include <catch2/catch.hpp>

#include "sample_plan.h"

using namespace volley::probe;
using namespace std::chrono_literals;

namespace {

ProbePlan plan_at(double rate_pps, std::uint64_t count = 0, std::chrono::nanoseconds duration = 0ns) {
  ProbePlan plan = sample::plan(sample::request());
  plan.rate_pps = rate_pps;
  plan.count = count;
  plan.duration = duration;
  return plan;
}

// Runs a sender that wakes exactly when due; returns the number of probes sent.
std::uint64_t run(Pacer& pacer, std::uint64_t most, std::int64_t& last_due) {
  std::uint64_t sent = 0;
  while (sent < most) {
    const auto due = pacer.next_due_ns();
    if (!due) break;
    last_due = *due;
    const std::uint32_t count = pacer.take(*due);
    REQUIRE(count > 0);
    for (std::uint32_t i = 0; i < count; ++i) pacer.next_lag_ns(*due);
    sent += count;
  }
  return sent;
}

}  // namespace

TEST_CASE("one probe a second, one by one, for days", "[pacer]") {
  constexpr std::int64_t kStart = 123'456'789'000;
  Pacer pacer(plan_at(1.0), kStart);
  CHECK(pacer.batch_size() == 1);
  std::int64_t last = 0;
  CHECK(run(pacer, 300'000, last) == 300'000);
  CHECK(last == kStart + 299'999 * 1'000'000'000LL);
}

TEST_CASE("200,000/s is exact in batches of 20", "[pacer]") {
  Pacer pacer(plan_at(200'000.0), 0);
  CHECK(pacer.batch_size() == 20);
  std::int64_t last = 0;
  CHECK(run(pacer, 2'000'000, last) == 2'000'000);
  CHECK(last == 1'999'999LL * 5000);
  CHECK(pacer.skips() == 0);
}

TEST_CASE("a third of a probe does not drift", "[pacer]") {
  Pacer pacer(plan_at(1000.0 / 3.0), 0);
  std::int64_t last = 0;
  run(pacer, 1'000'000, last);
  CHECK(last == 999'999LL * 3'000'000);
}

TEST_CASE("count and duration end the run", "[pacer]") {
  std::int64_t last = 0;
  Pacer counted(plan_at(1000.0, 500), 0);
  CHECK(run(counted, 10'000, last) == 500);
  Pacer timed(plan_at(1000.0, 0, 10s), 0);
  CHECK(run(timed, 100'000, last) == 10'000);
  Pacer batched(plan_at(30'000.0, 0, 100ms), 0);
  CHECK(run(batched, 100'000, last) == 3000);
  Pacer both(plan_at(1000.0, 500, 100ms), 0);
  CHECK(run(both, 10'000, last) == 100);
  ProbePlan seven = plan_at(1e9 / 7e6, 0, 7s);
  Pacer pacer(seven, 0);
  CHECK(run(pacer, 10'000, last) == planned_probes(seven));
}

TEST_CASE("lag is measured against the schedule", "[pacer]") {
  Pacer pacer(plan_at(1000.0), 1000);
  REQUIRE(pacer.take(1000) == 1);
  CHECK(pacer.next_lag_ns(1500) == 500);
  CHECK(pacer.take(2000) == 0);
  CHECK(pacer.take(3'000'000) == 1);
  CHECK(pacer.next_lag_ns(3'000'000) == 3'000'000 - 1'001'000);
}

TEST_CASE("short delays are caught up with", "[pacer]") {
  Pacer pacer(plan_at(1000.0), 0);
  std::uint32_t sent = 0;
  while (pacer.take(40'000'000) == 1) {
    pacer.next_lag_ns(40'000'000);
    ++sent;
  }
  CHECK(sent == 41);
  CHECK(pacer.skips() == 0);
}

TEST_CASE("after a stall of 200 ms the backlog is dropped, not sent as a burst", "[pacer]") {
  Pacer pacer(plan_at(1000.0, 0, 1s), 0);
  std::int64_t last = 0;
  run(pacer, 100, last);
  std::uint32_t burst = 0;
  while (pacer.take(300'000'000) == 1) {
    pacer.next_lag_ns(300'000'000);
    ++burst;
  }
  CHECK(burst == 1);
  CHECK(pacer.skips() == 1);
  CHECK(pacer.skipped_ns() == 200'000'000);
  CHECK(*pacer.next_due_ns() == 301'000'000);
  // The run still ends when it was asked to.
  CHECK(run(pacer, 100'000, last) == 699);
  CHECK(last == 999'000'000);
}

TEST_CASE("at one a second a late probe moves nothing", "[pacer]") {
  Pacer pacer(plan_at(1.0), 0);
  REQUIRE(pacer.take(500'000'000) == 1);
  pacer.next_lag_ns(500'000'000);
  CHECK(pacer.skips() == 0);
  CHECK(*pacer.next_due_ns() == 1'000'000'000);
}

TEST_CASE("as fast as the machine goes", "[pacer]") {
  Pacer pacer(plan_at(0.0, 100), 0);
  CHECK(pacer.take(5) == Pacer::kMaxBatch);
  for (std::uint32_t i = 0; i < Pacer::kMaxBatch; ++i) CHECK(pacer.next_lag_ns(5) == 0);
  CHECK(pacer.take(6) == 100 - Pacer::kMaxBatch);
  Pacer timed(plan_at(0.0, 0, 1ms), 0);
  CHECK(timed.take(999'999) == Pacer::kMaxBatch);
  CHECK(timed.next_due_ns());
  CHECK(timed.take(1'000'000) == 0);
  CHECK_FALSE(timed.next_due_ns());
}

// Tests of the ring of probes in flight, two threads at once included.
#include "volley/probe/flight_table.h"

#include <catch2/catch.hpp>
#include <thread>

#include "sample_plan.h"

using namespace volley::probe;

namespace {

std::uint64_t publish(FlightTable& table, std::uint32_t local, std::uint32_t token = 0) {
  return table.publish({0, local}, token, static_cast<std::uint16_t>(local), 1, 2);
}

}  // namespace

TEST_CASE("a published record is found by its key, newest first", "[flight_table]") {
  FlightTable table(16);
  CHECK(publish(table, 5, 100) == 0);
  CHECK(publish(table, 6, 101) == 1);
  CHECK(publish(table, 5, 102) == 2);
  CHECK(table.head() == 3);
  REQUIRE(table.newest({0, 5}) == 2);
  CHECK(table.at(2).token == 102);
  REQUIRE(table.older(2, {0, 5}) == 0);
  CHECK_FALSE(table.older(0, {0, 5}));
  CHECK_FALSE(table.newest({0, 7}));
  CHECK_FALSE(table.newest({1, 5}));
}

TEST_CASE("a released record is not found, and its place is used again", "[flight_table]") {
  FlightTable table(4);
  for (std::uint32_t i = 0; i < 4; ++i) publish(table, i % 2);
  CHECK_FALSE(table.has_room());
  table.release_up_to(2);
  REQUIRE(table.has_room());
  CHECK_FALSE(table.older(2, {0, 0}));
  CHECK(publish(table, 0) == 4);
  CHECK(table.at(4).state == FlightState::awaited);
  CHECK(table.newest({0, 0}) == 4);
  CHECK(table.older(4, {0, 0}) == 2);
  CHECK_FALSE(table.older(2, {0, 0}));
}

TEST_CASE("many keys and numbers beyond 16 and 32 bits of slots", "[flight_table]") {
  FlightTable table(1024);
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    if (!table.has_room()) table.release_up_to(table.tail() + 512);
    const auto local = static_cast<std::uint32_t>(i % 700);
    REQUIRE(publish(table, local, static_cast<std::uint32_t>(i)) == i);
    REQUIRE(table.newest({0, local}) == i);
    const auto older = table.older(i, {0, local});
    if (i >= 700 && i - 700 >= table.tail()) {
      REQUIRE(older == i - 700);
    } else {
      REQUIRE_FALSE(older);
    }
  }
}

TEST_CASE("a failed write is marked for the receiver", "[flight_table]") {
  FlightTable table(4);
  const auto number = publish(table, 1);
  table.mark_not_sent(number, NotSentReason::no_buffer);
  CHECK(table.at(number).not_sent == NotSentReason::no_buffer);
}

TEST_CASE("skipped probes are counted by destination", "[flight_table]") {
  FlightTable table(4);
  table.prepare_skips(2);
  table.skip(1);
  table.skip(1);
  table.skip(0);
  CHECK(table.skipped() == 3);
  CHECK(table.skipped(0) == 1);
  CHECK(table.skipped(1) == 2);
}

TEST_CASE("capacity follows rate and timeout, within 48 MB", "[flight_table]") {
  ProbePlan plan = sample::plan(sample::request());
  CHECK(flight_capacity(plan) == 16384);
  plan.rate_pps = 20'000;
  CHECK(flight_capacity(plan) == 262'144);
  plan.rate_pps = 1e6;
  CHECK(flight_capacity(plan) == kMaxFlightCapacity);
  plan.rate_pps = 0;
  CHECK(flight_capacity(plan) == kMaxFlightCapacity);
  plan.count = 5000;
  CHECK(flight_capacity(plan) == 8192);
  plan.count = 5;
  CHECK(flight_capacity(plan) == 1024);
}

// Run under the thread sanitizer too: a published record is whole when it is found.
TEST_CASE("one thread publishes, one finds and releases", "[flight_table]") {
  FlightTable table(256);
  constexpr std::uint64_t kCount = 100'000;
  std::thread sender([&] {
    for (std::uint64_t i = 0; i < kCount;) {
      if (!table.has_room()) {
        std::this_thread::yield();
        continue;
      }
      const auto local = static_cast<std::uint32_t>(i % 50);
      const auto number = table.publish({1, local}, static_cast<std::uint32_t>(i * 3),
                                        static_cast<std::uint16_t>(local), static_cast<std::int64_t>(i), 0);
      if (i % 7 == 0) table.mark_not_sent(number, NotSentReason::no_route);
      ++i;
    }
  });
  std::uint64_t seen = 0;
  std::uint64_t wrong = 0;
  while (seen < kCount) {
    const std::uint64_t head = table.head();
    for (; seen < head; ++seen) {
      FlightRecord& record = table.at(seen);
      const auto local = static_cast<std::uint32_t>(seen % 50);
      wrong += record.token == seen * 3 && record.key == FlowKey{1, local} ? 0U : 1U;
      record.has_departed = true;
      record.state = FlightState::answered;
      auto number = table.newest({1, local});
      while (number && *number > seen) number = table.older(*number, {1, local});
      wrong += number == seen ? 0U : 1U;
      (void)record.not_sent.load();
    }
    table.release_up_to(seen);
  }
  sender.join();
  CHECK(wrong == 0);
}

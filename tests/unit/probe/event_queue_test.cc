// Tests of the queue that puts events into the order of their stamps.
#include "volley/probe/event_queue.h"

#include <catch2/catch.hpp>

using namespace volley::probe;

namespace {

FlightEvent event(std::int64_t time_ns, SightingKind kind = SightingKind::reply, std::uint32_t local = 0) {
  FlightEvent event;
  event.time_ns = time_ns;
  event.sighting.kind = kind;
  event.sighting.key.local = local;
  return event;
}

}  // namespace

TEST_CASE("events come out in the order of time, and only those that may", "[event_queue]") {
  EventQueue queue;
  for (const std::int64_t time : {5, 3, 9, 1, 7}) queue.push(event(time));
  std::vector<std::int64_t> times;
  queue.apply_before(7, [&](const FlightEvent& e) { times.push_back(e.time_ns); });
  CHECK(times == std::vector<std::int64_t>{1, 3, 5});
  queue.apply_before(100, [&](const FlightEvent& e) { times.push_back(e.time_ns); });
  CHECK(times == std::vector<std::int64_t>{1, 3, 5, 7, 9});
  CHECK(queue.is_empty());
}

TEST_CASE("of equal stamps departures come first, then the order of reading", "[event_queue]") {
  EventQueue queue;
  queue.push(event(1, SightingKind::reply, 1));
  queue.push(event(1, SightingKind::reply, 2));
  queue.push(event(1, SightingKind::probe, 3));
  std::vector<std::uint32_t> order;
  queue.apply_before(2, [&](const FlightEvent& e) { order.push_back(e.sighting.key.local); });
  CHECK(order == std::vector<std::uint32_t>{3, 1, 2});
}

TEST_CASE("a full queue tells where its middle is", "[event_queue]") {
  EventQueue queue;
  while (!queue.is_full()) queue.push(event(static_cast<std::int64_t>(EventQueue::kCapacity) - 1));
  CHECK(queue.middle_ns() == static_cast<std::int64_t>(EventQueue::kCapacity) - 1);
  std::size_t applied = 0;
  queue.apply_before(queue.middle_ns() + 1, [&](const FlightEvent&) { ++applied; });
  CHECK(applied == EventQueue::kCapacity);
}

// Tests the budgets of the capture rings at all rates and queue counts.
#include "volley/net/ring_size.h"

#include <catch2/catch.hpp>

using namespace volley::net;

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::uint32_t kSlot = 304;

RingRequest request(double rate, std::uint32_t rings, std::uint32_t interfaces = 1) {
  return {rate, interfaces, rings, kSlot};
}

}  // namespace

TEST_CASE("a default run keeps small rings, even with 64 queues", "[net]") {
  for (const std::uint32_t rings : {1U, 9U, 65U}) {
    const auto sizes = size_rings(request(1000, rings));
    CHECK(sizes.is_within_budget);
    CHECK(sizes.total_bytes(request(1000, rings)) <= 8 * kMegabyte);
  }
}

TEST_CASE("20,000/s stays under 32 MB, even with 48 queues", "[net]") {
  for (const std::uint32_t rings : {1U, 9U, 25U, 49U}) {
    const auto sizes = size_rings(request(20000, rings));
    CHECK(sizes.is_within_budget);
    CHECK(sizes.total_bytes(request(20000, rings)) <= 32 * kMegabyte);
  }
}

TEST_CASE("each ring covers a stalled receiver", "[net]") {
  const auto slow = size_rings(request(1000, 1));
  // Half a second: 1,000 departures and 750 arrivals.
  CHECK(slow.departures_bytes >= 1000 * kSlot);
  CHECK(slow.arrivals_bytes >= 750 * kSlot);
  // With many queues all replies may still come by one: 40 ms then.
  const auto many = size_rings(request(20000, 33));
  CHECK(many.arrivals_bytes >= 1200 * kSlot);
  // However slow the run, a burst has room.
  CHECK(size_rings(request(1, 9)).arrivals_bytes >= 256 * kSlot);
}

TEST_CASE("rings beyond the budget are told", "[net]") {
  CHECK_FALSE(size_rings(request(20000, 200)).is_within_budget);
  CHECK_FALSE(size_rings(request(1000, 257)).is_within_budget);
  CHECK(size_rings(request(0, 9)).is_within_budget);
  CHECK(size_rings(request(0, 9)).total_bytes(request(0, 9)) <= 128 * kMegabyte);
}

TEST_CASE("several interfaces share the budget", "[net]") {
  const auto two = request(20000, 9, 2);
  CHECK(size_rings(two).total_bytes(two) <= 32 * kMegabyte);
}

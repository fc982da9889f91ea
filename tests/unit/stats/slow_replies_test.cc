// The threshold of slow replies and the fairness of the sample.
#include "volley/stats/slow_replies.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

namespace volley::stats {

TEST_CASE("the floor follows median and spread", "[stats]") {
  OctaveArena arena(kTotalBits, kOctaves);
  Histogram rtt(arena);
  SlowFloor floor;
  CHECK(floor.floor_ns() == 1'000'000);
  for (int i = 0; i < 63; ++i) rtt.record(50'000'000), floor.update(rtt);
  CHECK(floor.floor_ns() == 1'000'000);
  rtt.record(50'000'000);
  floor.update(rtt);
  CHECK(floor.floor_ns() == Approx(51'000'000).epsilon(0.001));
  // Renewed at 8192 replies, 30 to 62 ms by then: quartiles 38 and 54 ms, so
  // 2 tau is 2 x 4 x 1.4826 x 8 ms = 95 ms above a median of 46 ms.
  for (int i = 0; i < 10'000; ++i) rtt.record(30'000'000 + i * 4'000), floor.update(rtt);
  CHECK(static_cast<double>(floor.floor_ns()) == Approx(142e6).epsilon(0.02));
}

TEST_CASE("few slow replies are all kept, by time of sending", "[stats]") {
  SlowReplies replies(100, 1);
  for (int i = 99; i >= 0; --i) replies.record({.sent_ns = i, .rtt_ns = 1});
  const auto kept = replies.by_time_of_sending();
  REQUIRE(kept.size() == 100);
  for (int i = 0; i < 100; ++i) REQUIRE(kept[static_cast<std::size_t>(i)].sent_ns == i);
  CHECK(replies.seen() == 100);
}

TEST_CASE("of many slow replies each has the same chance", "[stats]") {
  constexpr int kMany = 100'000;
  SlowReplies replies(1'000, 77);
  for (int i = 0; i < kMany; ++i) replies.record({.sent_ns = i});
  const auto kept = replies.by_time_of_sending();
  REQUIRE(kept.size() == 1'000);
  CHECK(replies.seen() == kMany);
  // Ten tenths of the run: 100 each, standard deviation 9.5.
  for (int tenth = 0; tenth < 10; ++tenth) {
    const auto in_tenth = std::count_if(kept.begin(), kept.end(),
                                        [&](const SlowReply& reply) { return reply.sent_ns / (kMany / 10) == tenth; });
    CHECK(std::abs(static_cast<double>(in_tenth) - 100.0) < 40.0);
  }
  SlowReplies again(1'000, 77);
  for (int i = 0; i < kMany; ++i) again.record({.sent_ns = i});
  CHECK(again.by_time_of_sending() == kept);
  SlowReplies other(1'000, 78);
  for (int i = 0; i < kMany; ++i) other.record({.sent_ns = i});
  CHECK(other.by_time_of_sending() != kept);
}

TEST_CASE("no room at all keeps nothing and still counts", "[stats]") {
  SlowReplies replies(0, 1);
  replies.record({});
  CHECK(replies.by_time_of_sending().empty());
  CHECK(replies.seen() == 1);
}

}  // namespace volley::stats

// The timeline: placing, doubling, quantiles of a bin.
#include "volley/stats/timeline.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace volley::stats {
namespace {

constexpr std::int64_t kMs = 1'000'000;

std::uint64_t total_sent(const Timeline& timeline) {
  std::uint64_t total = 0;
  for (const TimelineBin& bin : timeline.bins) total += bin.sent;
  return total;
}

}  // namespace

TEST_CASE("an empty timeline has no bins", "[stats]") {
  const TimelineRecorder recorder;
  CHECK(recorder.timeline().bins.empty());
  CHECK(recorder.timeline().bin_ns == kMs);
}

TEST_CASE("events count in the bin of their sending, in any order", "[stats]") {
  TimelineRecorder recorder;
  recorder.record_lost(5 * kMs);
  recorder.record_answered(2 * kMs + 1, 80'000);
  recorder.record_sent(3 * kMs - 1);
  recorder.record_answered(5 * kMs + 999'999);
  recorder.record_sent(-3);
  const Timeline timeline = recorder.timeline();
  REQUIRE(timeline.bins.size() == 6);
  CHECK(timeline.bins[0].sent == 1);
  CHECK(timeline.bins[2].sent == 2);
  CHECK(timeline.bins[2].answered == 1);
  CHECK(timeline.bins[2].rtt_p50_ns == 80'000);
  CHECK(timeline.bins[2].rtt_p99_ns == 80'000);
  CHECK(timeline.bins[3].sent == 0);
  CHECK_FALSE(timeline.bins[3].rtt_p50_ns);
  CHECK(timeline.bins[5].t_ns == 5 * kMs);
  CHECK(timeline.bins[5].sent == 2);
  CHECK(timeline.bins[5].lost == 1);
  CHECK(timeline.bins[5].answered == 1);
  CHECK_FALSE(timeline.bins[5].rtt_p50_ns);
}

TEST_CASE("doubling keeps every event and its place", "[stats]") {
  TimelineRecorder late_doubling;
  TimelineRecorder early_doubling;
  std::mt19937_64 random(5);
  std::vector<std::pair<std::int64_t, std::int64_t>> events;
  for (int i = 0; i < 20'000; ++i) {
    events.emplace_back(static_cast<std::int64_t>(random() % 40'000'000'000U),
                        static_cast<std::int64_t>(20'000 + random() % 3'000'000U));
  }
  std::sort(events.begin(), events.end());
  const auto record = [](TimelineRecorder& recorder, const auto& event) {
    if (event.second % 50 == 0) {
      recorder.record_lost(event.first);
    } else {
      recorder.record_answered(event.first, event.second);
    }
  };
  for (const auto& event : events) record(late_doubling, event);
  std::for_each(events.rbegin(), events.rend(), [&](const auto& event) { record(early_doubling, event); });
  const Timeline a = late_doubling.timeline();
  const Timeline b = early_doubling.timeline();
  CHECK(a.bin_ns == 64 * kMs);  // 40 s in at most 1024 bins
  CHECK(a.bins.size() <= kTimelineBins);
  CHECK(total_sent(a) == 20'000);
  REQUIRE(a.bins.size() == b.bins.size());
  for (std::size_t i = 0; i < a.bins.size(); ++i) {
    REQUIRE(a.bins[i].t_ns == static_cast<std::int64_t>(i) * a.bin_ns);
    const auto in_bin = std::count_if(events.begin(), events.end(), [&](const auto& event) {
      return event.first / a.bin_ns == static_cast<std::int64_t>(i);
    });
    REQUIRE(a.bins[i].sent == static_cast<std::uint64_t>(in_bin));
    REQUIRE(a.bins[i].sent == a.bins[i].answered + a.bins[i].lost);
    REQUIRE(a.bins[i].sent == b.bins[i].sent);
    REQUIRE(a.bins[i].lost == b.bins[i].lost);
    REQUIRE(a.bins[i].rtt_p50_ns == b.bins[i].rtt_p50_ns);
    REQUIRE(a.bins[i].rtt_p99_ns == b.bins[i].rtt_p99_ns);
  }
}

TEST_CASE("a bin's quantiles are within 3.2 %", "[stats]") {
  TimelineRecorder recorder;
  std::mt19937_64 random(9);
  std::vector<std::int64_t> values;
  for (int i = 0; i < 3'000; ++i) {
    values.push_back(static_cast<std::int64_t>(30'000.0 * std::exp(static_cast<double>(random() % 1'000) / 200.0)));
    recorder.record_answered(0, values.back());
  }
  std::sort(values.begin(), values.end());
  const TimelineBin bin = recorder.timeline().bins.at(0);
  CHECK(std::abs(static_cast<double>(*bin.rtt_p50_ns) / static_cast<double>(values[1'499]) - 1.0) < 0.032);
  CHECK(std::abs(static_cast<double>(*bin.rtt_p99_ns) / static_cast<double>(values[2'969]) - 1.0) < 0.032);
}

TEST_CASE("a jump far ahead doubles as often as it must", "[stats]") {
  TimelineRecorder recorder;
  recorder.record_sent(0);
  recorder.record_sent(86'400'000 * kMs);  // a thousand days
  const Timeline timeline = recorder.timeline();
  CHECK(timeline.bins.size() <= kTimelineBins);
  CHECK(timeline.bins.size() > kTimelineBins / 2);
  CHECK(total_sent(timeline) == 2);
  CHECK(recorder.memory_bytes() < 1'600'000);
}

TEST_CASE("RTTs outside the range of a bin keep exact extremes", "[stats]") {
  TimelineRecorder recorder;
  recorder.record_answered(0, 10);
  recorder.record_answered(0, 500'000 * kMs);
  const TimelineBin bin = recorder.timeline().bins.at(0);
  CHECK(bin.rtt_p50_ns == 10);
  CHECK(bin.rtt_p99_ns == 500'000 * kMs);
}

}  // namespace volley::stats

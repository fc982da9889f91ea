// Tests of diagnosis/stalls: planted stalls are found with their times; heavy
// tails, drifting backlogs and queues that drain are not. One thread.
#include "volley/diagnosis/stalls.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

using namespace volley::diagnosis;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kBase = 200'000;

struct Scene {
  double rate_pps = 1000.0;
  double seconds = 10.0;
  std::vector<std::pair<std::int64_t, std::int64_t>> stalls;  // start and end
  unsigned queues = 8;                                        // the first one stalls
  std::function<double(std::mt19937_64&)> jitter_ns;
};

double exponential(std::mt19937_64& random) {
  return std::exponential_distribution<double>(1.0 / 30'000.0)(random);
}

std::vector<TimedReply> play(const Scene& scene, std::mt19937_64& random) {
  std::vector<TimedReply> replies;
  const auto probes = static_cast<std::int64_t>(scene.rate_pps * scene.seconds);
  for (std::int64_t n = 0; n < probes; ++n) {
    TimedReply reply{static_cast<std::int64_t>(static_cast<double>(n) * 1e9 / scene.rate_pps), 0};
    const bool is_held = random() % scene.queues == 0;
    double release = static_cast<double>(reply.sent_ns);
    for (const auto& [start, end] : scene.stalls) {
      if (is_held && reply.sent_ns >= start && reply.sent_ns < end) {
        release = static_cast<double>(end) + 0.002 * static_cast<double>(reply.sent_ns - start);  // in order
      }
    }
    const double rtt = release - static_cast<double>(reply.sent_ns) + kBase + scene.jitter_ns(random);
    reply.rtt_ns = static_cast<std::int64_t>(rtt);
    replies.push_back(reply);
  }
  return replies;
}

StallSearch search_for(const std::vector<TimedReply>& replies) {
  std::vector<std::int64_t> values;
  for (const TimedReply& reply : replies) values.push_back(reply.rtt_ns);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const std::int64_t median = *middle;
  for (std::int64_t& value : values) value = std::abs(value - median);
  std::nth_element(values.begin(), middle, values.end());
  return {median, *middle, 1, 0.0};
}

std::vector<Stall> stalls_in(const std::vector<TimedReply>& replies) {
  return find_stalls(replies, search_for(replies));
}

std::vector<std::pair<std::int64_t, std::int64_t>> every(std::int64_t period, std::int64_t length, std::int64_t until) {
  std::vector<std::pair<std::int64_t, std::int64_t>> stalls;
  for (std::int64_t start = period / 2; start + length < until; start += period)
    stalls.emplace_back(start, start + length);
  return stalls;
}

}  // namespace

TEST_CASE("a queue that stands still for 200 ms every 2 s: each stall once, with start, end and beat") {
  for (const double rate : {1000.0, 10'000.0}) {
    std::vector<std::int64_t> errors;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      std::mt19937_64 random(seed);
      const Scene scene{rate, 10.0, every(2000 * kMs, 200 * kMs, 10'000 * kMs), 8, exponential};
      const auto stalls = stalls_in(play(scene, random));
      REQUIRE(stalls.size() == 5);
      for (std::size_t i = 0; i < stalls.size(); ++i) {
        // At 1,000/s the queue is probed every 8 ms on average, and some gaps are long.
        const double most = rate == 1000.0 ? 60.0 : 10.0;
        errors.push_back(std::abs(stalls[i].start_ns - scene.stalls[i].first));
        CHECK(std::fabs(static_cast<double>(stalls[i].start_ns - scene.stalls[i].first)) < most * kMs);
        CHECK(std::fabs(static_cast<double>(stalls[i].end_ns - scene.stalls[i].second)) < 5.0 * kMs);
        const double held = rate * 0.2 / 8.0;
        CHECK(static_cast<double>(stalls[i].members.size()) == Approx(held).epsilon(0.6));
      }
      const auto period = find_period(stalls);
      REQUIRE(period);
      CHECK(period->period_ns == Approx(2000.0 * kMs).epsilon(0.001));
    }
    std::sort(errors.begin(), errors.end());
    CHECK(errors[errors.size() / 2] < (rate == 1000.0 ? 10 * kMs : 1 * kMs));
  }
}

TEST_CASE("short stalls of all queues are found at a slow rate") {
  std::mt19937_64 random(3);
  const auto stalls = stalls_in(play({1000.0, 10.0, {{4'000 * kMs, 4'030 * kMs}}, 1, exponential}, random));
  REQUIRE(stalls.size() == 1);
  CHECK(std::abs(stalls[0].start_ns - 4'000 * kMs) < 2 * kMs);
  CHECK(std::abs(stalls[0].end_ns - 4'030 * kMs) < 1 * kMs);
}

TEST_CASE("no stall in heavy tails, a second mode, or a backlog that drains slowly") {
  const std::vector<std::function<double(std::mt19937_64&)>> tails{
      [](auto& random) { return std::exponential_distribution<double>(1.0 / 3e6)(random); },
      [](auto& random) { return 5e4 * std::exp(std::normal_distribution<double>(0.0, 1.5)(random)); },
      [](auto& random) {  // Pareto in 10 %
        const double u = std::uniform_real_distribution<double>(1e-4, 1.0)(random);
        return random() % 10 == 0 ? 2e6 * std::pow(u, -0.8) : 3e4 * u;
      },
      [](auto& random) { return (random() % 20 == 0 ? 40e6 : 0.0) + exponential(random); },  // a mode at 40 ms
  };
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const auto& tail : tails) {
      std::mt19937_64 random(seed);
      found += static_cast<int>(stalls_in(play({1000.0, 10.0, {}, 8, tail}, random)).size());
    }
  }
  CHECK(found == 0);

  // A backlog that fills in an instant and drains over half a second.
  for (const double slope : {-0.3, -0.1}) {
    std::mt19937_64 random(5);
    auto replies = play({1000.0, 10.0, {}, 8, exponential}, random);
    for (TimedReply& reply : replies) {
      const double since = static_cast<double>(reply.sent_ns % (2000 * kMs));
      reply.rtt_ns += static_cast<std::int64_t>(std::max(0.0, 100e6 + slope * since));
    }
    CHECK(stalls_in(replies).empty());
  }
}

TEST_CASE("nothing is found in nothing, and no beat in few or uneven stalls") {
  CHECK(find_stalls({}, {kBase, 0, 1, 0.0}).empty());
  std::vector<Stall> stalls(3);
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i].end_ns = static_cast<std::int64_t>(i) * 1000;
  CHECK_FALSE(find_period(stalls));
  stalls.resize(4);
  stalls[3].end_ns = 3000;
  REQUIRE(find_period(stalls));
  CHECK(find_period(stalls)->period_ns == 1000);
  stalls[3].end_ns = 3400;
  CHECK_FALSE(find_period(stalls));
  stalls[3].end_ns = 5000;  // two beats without a stall, or with one that was missed
  REQUIRE(find_period(stalls));
  CHECK(find_period(stalls)->period_ns == 1000);
  CHECK_FALSE(find_period(std::vector<Stall>(5)));
}

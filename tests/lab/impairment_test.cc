// Tests of what the rules of the software NIC do to frames. Time is an argument
// and every seed is fixed, so that each run sees the same fates.
#include "impairment.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

namespace {

using lab::FrameFacts;
using lab::Nanoseconds;

constexpr Nanoseconds kMillisecond = 1'000'000;
constexpr Nanoseconds kSecond = 1'000'000'000;

// A SYN to port 80.
FrameFacts syn_from(std::uint16_t port) {
  FrameFacts facts;
  facts.kind = lab::Kind::syn;
  facts.ip_version = 4;
  facts.has_ports = true;
  facts.source_port = port;
  facts.destination_port = 80;
  return facts;
}

lab::Impairments impairments(std::initializer_list<const char*> rules, std::size_t queues = 8, std::uint64_t seed = 1) {
  std::vector<lab::Rule> parsed;
  std::transform(rules.begin(), rules.end(), std::back_inserter(parsed), lab::parse_rule);
  return {std::move(parsed), queues, seed, 0};
}

lab::Verdict judge(lab::Impairments& faults, lab::QueueId queue, Nanoseconds now = 0, std::uint16_t port = 40000) {
  const FrameFacts facts = syn_from(port);
  return faults.judge(facts, facts, queue, 0, now);
}

}  // namespace

TEST_CASE("loss has its rate, in its queue and kind only, and the same with the same seed") {
  constexpr int kFrames = 20000;
  const auto losses = [](lab::Impairments faults, lab::QueueId queue) {
    std::vector<bool> lost;
    for (int i = 0; i < kFrames; ++i) {
      lost.push_back(judge(faults, queue).is_dropped());
    }
    return lost;
  };
  const auto third = losses(impairments({"queue=3 match=syn loss=5%"}), 3);
  // 1000 expected, standard deviation 31.
  CHECK(std::count(third.begin(), third.end(), true) == Approx(1000).margin(155));
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}), 3) == third);
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}, 8, 2), 3) != third);
  CHECK(losses(impairments({"queue=3 match=syn loss=5%"}), 4) == std::vector<bool>(kFrames, false));
  CHECK(losses(impairments({"queue=3 match=rst loss=5%"}), 3) == std::vector<bool>(kFrames, false));
  CHECK(losses(impairments({"loss=5%"}), 3) != losses(impairments({"loss=5%"}), 4));
}

TEST_CASE("each n-th frame is lost, counted per queue") {
  lab::Impairments faults = impairments({"loss=every:3"});
  std::string fate;
  for (int i = 0; i < 6; ++i) {
    fate += judge(faults, 1).is_dropped() ? 'x' : '.';
    fate += judge(faults, 2).is_dropped() ? 'x' : '.';
  }
  CHECK(fate == "....xx....xx");
}

TEST_CASE("bursts keep the loss and have the mean length") {
  lab::Impairments faults = impairments({"loss=5% burst=10"});
  int lost = 0;
  int bursts = 0;
  bool before = false;
  for (int i = 0; i < 200'000; ++i) {
    const bool now = judge(faults, 0).is_dropped();
    lost += now ? 1 : 0;
    bursts += now && !before ? 1 : 0;
    before = now;
  }
  CHECK(lost == Approx(10'000).epsilon(0.12));
  CHECK(static_cast<double>(lost) / bursts == Approx(10).epsilon(0.12));
}

TEST_CASE("port, path and reverse queue choose the frames") {
  lab::Impairments by_port = impairments({"port=80 loss=100%"});
  CHECK(judge(by_port, 0).is_dropped());
  FrameFacts other = syn_from(40000);
  other.destination_port = 8080;
  CHECK_FALSE(by_port.judge(other, other, 0, 0, 0).is_dropped());
  // A reply carries the target's port as its source.
  const FrameFacts reply = lab::reversed(syn_from(40000));
  CHECK(by_port.judge(reply, lab::reversed(reply), 0, 0, 0).is_dropped());

  lab::Impairments by_reverse = impairments({"reverse-queue=2 loss=100%"});
  CHECK(by_reverse.judge(other, other, 0, 2, 0).is_dropped());
  CHECK_FALSE(by_reverse.judge(other, other, 2, 0, 0).is_dropped());

  std::array<int, 8> hits{};
  for (std::size_t path = 0; path < hits.size(); ++path) {
    const std::string rule = "loss=100% path=" + std::to_string(path) + "/8";
    lab::Impairments by_path = impairments({rule.c_str()});
    for (std::uint16_t port = 0; port < 8000; ++port) {
      hits[path] += judge(by_path, 0, 0, port).is_dropped() ? 1 : 0;
    }
  }
  CHECK(std::accumulate(hits.begin(), hits.end(), 0) == 8000);  // each flow has one path
  CHECK(*std::min_element(hits.begin(), hits.end()) > 900);
}

TEST_CASE("delay and jitter add up within their bounds") {
  lab::Impairments faults = impairments({"queue=5 delay=3ms", "queue=5 jitter=uniform:1ms"});
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const lab::Verdict verdict = judge(faults, 5, kSecond);
    const Nanoseconds added = verdict.release_at - kSecond;
    REQUIRE(added >= 3 * kMillisecond);
    REQUIRE(added <= 4 * kMillisecond);
    REQUIRE(verdict.actions == lab::kDelayed);
    sum += static_cast<double>(added);
  }
  CHECK(sum / 10'000 == Approx(3.5e6).epsilon(0.01));
  CHECK(judge(faults, 4, kSecond).release_at == kSecond);
  lab::Impairments tail = impairments({"jitter=exponential:1ms"});
  sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    sum += static_cast<double>(judge(tail, 0).release_at);
  }
  CHECK(sum / 10'000 == Approx(1e6).epsilon(0.05));
}

TEST_CASE("a stall holds frames until its end, and windows say when") {
  lab::Impairments faults = impairments({"stall=200ms/2s"});
  CHECK(judge(faults, 0, 100 * kMillisecond).release_at == 100 * kMillisecond);  // none before the first period
  CHECK(judge(faults, 0, 2000 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 7, 2199 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 0, 2199 * kMillisecond).actions == lab::kStalled);
  CHECK(judge(faults, 0, 2200 * kMillisecond).release_at == 2200 * kMillisecond);
  CHECK(judge(faults, 0, 2200 * kMillisecond).actions == 0);
  const auto windows = faults.stall_windows(0, 6100 * kMillisecond, 1000);
  REQUIRE(windows.size() == 3);
  CHECK(windows[2].start == 6 * kSecond);
  CHECK(windows[2].end == 6200 * kMillisecond);
  CHECK(faults.stall_windows(0, 6100 * kMillisecond, 2).size() == 2);
}

TEST_CASE("a ring overflows when as many wait as it holds, each queue for itself") {
  lab::Impairments faults = impairments({"stall=100ms/1s ring=4"});
  std::string fate;
  for (int i = 0; i < 6; ++i) {
    fate += judge(faults, 0, kSecond + i).is_dropped() ? 'x' : '.';
  }
  CHECK(fate == "....xx");
  CHECK_FALSE(judge(faults, 1, kSecond).is_dropped());
  CHECK_FALSE(judge(faults, 0, 1100 * kMillisecond).is_dropped());
}

TEST_CASE("a rate serves one frame at a time and keeps the order") {
  lab::Impairments faults = impairments({"rate=1000/s ring=2"});
  CHECK(judge(faults, 0, 0).release_at == 0);
  CHECK(judge(faults, 0, 0).release_at == kMillisecond);
  CHECK(judge(faults, 0, 0).release_at == 2 * kMillisecond);
  CHECK(judge(faults, 0, 0).actions == lab::kOverflowed);
  CHECK(judge(faults, 0, 1'500'000).release_at == 3 * kMillisecond);
  CHECK(judge(faults, 0, kSecond).release_at == kSecond);
  lab::Impairments limit = impairments({"rate=100/s ring=0"});
  int passed = 0;
  for (int i = 0; i < 1000; ++i) {
    passed += judge(limit, 0, i * kMillisecond).is_dropped() ? 0 : 1;
  }
  CHECK(passed == 100);
}

TEST_CASE("duplicates and reordering say when each copy goes") {
  lab::Impairments twice = impairments({"duplicate=100%:1ms"});
  const lab::Verdict copy = judge(twice, 0, kSecond);
  CHECK(copy.actions == lab::kDuplicated);
  CHECK(copy.release_at == kSecond);
  CHECK(copy.duplicate_at == kSecond + kMillisecond);
  lab::Impairments later = impairments({"reorder=100%:2ms"});
  CHECK(judge(later, 0, 0).release_at == 2 * kMillisecond);
  CHECK(judge(later, 0, 0).hold_frames == 0);
  lab::Impairments behind = impairments({"reorder=100%:3frames"});
  CHECK(judge(behind, 0, 0).hold_frames == 3);
  CHECK(lab::action_text(lab::kStalled | lab::kDelayed) == "stalled+delayed");
  CHECK(lab::action_text(0) == "passed");
}

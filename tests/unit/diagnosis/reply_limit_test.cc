// Tests of diagnosis/reply_limit: token buckets are told from loss. One thread.
#include "volley/diagnosis/reply_limit.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace volley;
using namespace volley::diagnosis;

namespace {

// 10 s at 5,000/s through a bucket that refills every `refill_ms` and holds `burst`.
std::vector<AnswerBin> bucket(double per_second, double burst, int refill_ms, std::mt19937_64& random) {
  std::vector<AnswerBin> bins(1024);
  double tokens = burst;
  for (int n = 0; n < 50'000; ++n) {
    const double now_ms = n / 5.0;
    if (n % (refill_ms * 5) == 0) tokens = std::min(burst, tokens + per_second * refill_ms / 1e3);
    const auto place = static_cast<std::size_t>(now_ms / 10'000.0 * 1024.0);
    ++bins[place].sent;
    if (tokens >= 1.0 && random() % 100 != 0) {
      tokens -= 1.0;
      ++bins[place].answered;
    }
  }
  return bins;
}

}  // namespace

TEST_CASE("limits of one a second and of a thousand a second are evenly spread answers") {
  std::mt19937_64 random(1);
  CHECK(log_evenness_p(bucket(1.0, 6.0, 1, random)) < std::log(1e-5));
  CHECK(log_evenness_p(bucket(1000.0, 50.0, 20, random)) < std::log(1e-9));
  CHECK(log_evenness_p(bucket(100.0, 10.0, 1, random)) < std::log(1e-9));
}

TEST_CASE("loss is never that even: independent, in bursts, or falling away") {
  int even = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<AnswerBin> bins(1024);
    const double answered = seed % 3 == 0 ? 0.5 : (seed % 3 == 1 ? 0.03 : 0.0005);
    bool is_down = false;
    for (AnswerBin& bin : bins) {
      bin.sent = 10;
      if (seed % 2 == 0 && random() % 20 == 0) is_down = !is_down;
      std::binomial_distribution<std::uint64_t> drawn(bin.sent, is_down ? 0.0 : answered);
      bin.answered = drawn(random);
    }
    even += log_evenness_p(bins) < std::log(1e-3) ? 1 : 0;
  }
  CHECK(even <= 1);
  CHECK(log_evenness_p({}) == 0.0);
  CHECK(log_evenness_p(std::vector<AnswerBin>(1024, {10, 0})) == 0.0);
  CHECK(log_evenness_p(std::vector<AnswerBin>(1024, {10, 10})) == 0.0);
}

TEST_CASE("only ICMP answers that are missing in plenty are called limited") {
  probe::ProbePlan plan;
  plan.protocol = probe::Protocol::udp;
  plan.destinations.resize(1);
  stats::RunResult result;
  result.destinations.resize(1);
  stats::DestinationResult& destination = result.destinations[0];
  std::mt19937_64 random(2);
  for (const AnswerBin& bin : bucket(1000.0, 50.0, 20, random)) {
    stats::TimelineBin row;
    row.sent = bin.sent;
    row.answered = bin.answered;
    row.lost = bin.sent - bin.answered;
    result.timeline.bins.push_back(row);
    destination.sent += bin.sent;
    destination.answered += bin.answered;
    destination.lost += row.lost;
  }
  result.timeline.bin_ns = 9'765'625;
  CHECK_FALSE(find_reply_limit({plan, result, 0}));  // answered by the service itself
  destination.replies.port_unreachable = destination.answered;
  const auto finding = find_reply_limit({plan, result, 0});
  REQUIRE(finding);
  CHECK(finding->kind == FindingKind::reply_limited);
  CHECK(finding->summary.starts_with("the target limits its ICMP answers to about "));
  CHECK(std::get<double>(finding->evidence.front().second) == Approx(1000.0).epsilon(0.05));
  result.destinations.push_back(destination);
  result.destinations[1].address.octets[0] = 10;
  CHECK_FALSE(find_reply_limit({plan, result, 0}));  // the timeline is of both
}

// The aggregator against a plain recount of random outcomes, its memory, its limits.
#include "volley/stats/aggregator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "volley/stats/interval.h"

namespace volley::stats {
namespace {

using probe::NotSentReason;
using probe::Outcome;
using probe::Verdict;

probe::ProbePlan plan_of(std::size_t destinations, std::size_t ports) {
  probe::ProbePlan plan;
  for (std::size_t i = 0; i < destinations; ++i) {
    probe::Destination destination;
    destination.address.octets = {10, 0, static_cast<std::uint8_t>(i >> 8U), static_cast<std::uint8_t>(i)};
    destination.source.octets = {10, 9, 9, 9};
    destination.port = 443;
    destination.name = "web" + std::to_string(i);
    plan.destinations.push_back(destination);
  }
  plan.source_ports.resize(ports);
  std::iota(plan.source_ports.begin(), plan.source_ports.end(), std::uint16_t{32'768});
  plan.rate_pps = 1'000.0;
  plan.duration = std::chrono::seconds(10);
  plan.timeout = std::chrono::seconds(1);
  plan.seed = 1;
  return plan;
}

void give_rss(probe::ProbePlan& plan, std::uint16_t queues) {
  rss::RssConfig rss;
  for (std::size_t i = 0; i < 40; ++i) rss.key.push_back(static_cast<std::uint8_t>(37 * i + 11));
  for (std::size_t i = 0; i < 128; ++i) rss.table.push_back(static_cast<rss::QueueId>(i % queues));
  plan.rss = rss;
}

// Outcomes of any kind, as a run might bring them.
class OutcomeMaker {
 public:
  OutcomeMaker(const probe::ProbePlan& plan, std::uint64_t seed) : plan_(plan), random_(seed) {}

  Outcome next() {
    Outcome outcome;
    outcome.number = number_++;
    outcome.destination = static_cast<std::uint32_t>(random_() % plan_.destinations.size());
    if (!plan_.source_ports.empty()) outcome.source_port = plan_.source_ports[random_() % plan_.source_ports.size()];
    outcome.sent_ns = static_cast<std::int64_t>(outcome.number) * 1'000'000;
    outcome.lag_ns = static_cast<std::int64_t>(random_() % 50'000);
    const std::uint64_t dice = random_() % 100;
    if (dice < 80) {
      answer(outcome);
    } else if (dice < 90) {
      outcome.verdict = Verdict::lost;
      if (dice < 83) outcome.sign = probe::LossSign::reverse;
      if (dice == 89) outcome.unreachable = probe::Unreachable{.type = 3, .code = 1, .from = {}};
    } else if (dice < 94) {
      outcome.verdict = Verdict::not_sent;
      outcome.not_sent = static_cast<NotSentReason>(1 + random_() % 7);
    } else {
      outcome.verdict = dice < 97 ? Verdict::stale_half_open : Verdict::in_flight;
    }
    return outcome;
  }

 private:
  void answer(Outcome& outcome) {
    outcome.verdict = Verdict::answered;
    outcome.reply = probe::ReplyKind::syn_ack;
    outcome.departure_seen = random_() % 50 != 0;
    outcome.reply_ttl = 63;
    outcome.local_queue = static_cast<rss::QueueId>(random_() % 4);
    if (!outcome.departure_seen) return;
    outcome.rtt_ns = static_cast<std::int64_t>(90'000 + random_() % 30'000);
    if (random_() % 500 == 0) *outcome.rtt_ns += 200'000'000;
  }

  const probe::ProbePlan& plan_;
  std::mt19937_64 random_;
  std::uint64_t number_ = 0;
};

struct Recount {
  std::uint64_t sent = 0, answered = 0, lost = 0, not_sent = 0, in_flight = 0, stale = 0, reverse = 0;
  std::vector<std::int64_t> rtts;
  void add(const Outcome& outcome) {
    sent += outcome.verdict != Verdict::not_sent;
    answered += outcome.verdict == Verdict::answered;
    lost += outcome.verdict == Verdict::lost;
    not_sent += outcome.verdict == Verdict::not_sent;
    in_flight += outcome.verdict == Verdict::in_flight;
    stale += outcome.verdict == Verdict::stale_half_open;
    reverse += outcome.sign == probe::LossSign::reverse;
    if (outcome.rtt_ns) rtts.push_back(*outcome.rtt_ns);
  }
};

void check_invariants(const DestinationResult& result) {
  REQUIRE(result.sent == result.answered + result.lost + result.in_flight + result.stale_half_open);
  REQUIRE(result.late <= result.lost);
  REQUIRE(result.direction.forward + result.direction.reverse + result.direction.unknown == result.lost);
  REQUIRE(result.rtt.count + result.answered_without_rtt == result.answered);
  const Ratio loss = wilson_95(result.lost, result.answered + result.lost);
  REQUIRE(result.loss.value == loss.value);
  REQUIRE(result.loss.high == loss.high);
  REQUIRE(std::is_sorted(result.ports.begin(), result.ports.end(),
                         [](const PortResult& a, const PortResult& b) { return a.port < b.port; }));
}

}  // namespace

TEST_CASE("random outcomes add up in every view", "[stats]") {
  const std::size_t destinations = GENERATE(std::size_t{1}, std::size_t{3});
  auto plan = plan_of(destinations, 256);
  give_rss(plan, 8);
  Aggregator aggregator(plan);
  OutcomeMaker maker(plan, 11 + destinations);
  std::vector<Recount> truth(destinations);
  std::map<std::pair<std::uint32_t, std::uint16_t>, Recount> by_port;
  std::map<std::pair<std::uint32_t, rss::QueueId>, Recount> by_queue;
  std::map<std::pair<std::uint32_t, rss::QueueId>, std::uint64_t> by_local;
  for (int i = 0; i < 30'000; ++i) {
    const Outcome outcome = maker.next();
    aggregator.on_outcome(outcome);
    truth[outcome.destination].add(outcome);
    by_port[{outcome.destination, outcome.source_port}].add(outcome);
    const auto& destination = plan.destinations[outcome.destination];
    by_queue[{outcome.destination, probe::remote_queue(plan, destination, outcome.source_port)}].add(outcome);
    if (outcome.local_queue) ++by_local[{outcome.destination, *outcome.local_queue}];
  }
  const RunResult run = aggregator.result({});
  REQUIRE(run.destinations.size() == destinations);
  for (std::uint32_t d = 0; d < destinations; ++d) {
    const DestinationResult& result = run.destinations[d];
    check_invariants(result);
    CHECK(result.target == plan.destinations[d].name);
    CHECK(result.sent == truth[d].sent);
    CHECK(result.answered == truth[d].answered);
    CHECK(result.lost == truth[d].lost);
    CHECK(result.not_sent == truth[d].not_sent);
    CHECK(result.in_flight == truth[d].in_flight);
    CHECK(result.stale_half_open == truth[d].stale);
    CHECK(result.direction.reverse == truth[d].reverse);
    auto& rtts = truth[d].rtts;
    std::sort(rtts.begin(), rtts.end());
    CHECK(static_cast<double>(result.rtt.p50_ns) ==
          Approx(static_cast<double>(rtts[(rtts.size() + 1) / 2 - 1])).epsilon(0.001));
    CHECK(result.rtt.max_ns == rtts.back());
    CHECK(result.rtt.min_ns == rtts.front());

    REQUIRE(result.ports.size() == 256);
    for (const PortResult& port : result.ports) {
      const Recount& recount = by_port.at({d, port.port});
      REQUIRE(port.sent == recount.sent);
      REQUIRE(port.answered == recount.answered);
      REQUIRE(port.lost == recount.lost);
      REQUIRE(port.reverse == recount.reverse);
      REQUIRE(port.rtt_count == recount.rtts.size());
      REQUIRE(port.slow ==
              static_cast<std::uint64_t>(std::count_if(recount.rtts.begin(), recount.rtts.end(), [&](std::int64_t rtt) {
                return rtt > result.slow_threshold_ns;
              })));
    }
    REQUIRE(result.remote_queues.size() == 8);
    for (const QueueResult& queue : result.remote_queues) {
      const Recount& recount = by_queue.at({d, queue.queue});
      REQUIRE(queue.sent == recount.sent);
      REQUIRE(queue.answered == recount.answered);
      REQUIRE(queue.lost == recount.lost);
      REQUIRE(queue.rtt.count == recount.rtts.size());
      REQUIRE(queue.rtt_error < 0.01);
      REQUIRE(queue.shape.low_ns == result.shape.low_ns);
    }
    REQUIRE(result.local_queues.size() == 4);
    for (const QueueResult& queue : result.local_queues) REQUIRE(queue.answered == by_local.at({d, queue.queue}));
  }
}

TEST_CASE("the run's lists, timeline and progress agree with the totals", "[stats]") {
  const auto plan = plan_of(2, 64);
  Aggregator aggregator(plan);
  OutcomeMaker maker(plan, 3);
  Recount truth;
  std::vector<std::int64_t> above_floor;
  std::array<std::uint64_t, 8> not_sent{};
  for (int i = 0; i < 9'000; ++i) {
    const Outcome outcome = maker.next();
    aggregator.on_outcome(outcome);
    truth.add(outcome);
    ++not_sent[static_cast<std::size_t>(outcome.not_sent)];
    if (outcome.rtt_ns && *outcome.rtt_ns > 100'000'000) above_floor.push_back(outcome.sent_ns);
  }
  not_sent[0] = 0;
  const RunResult run = aggregator.result({});
  REQUIRE(run.slow_replies.size() == above_floor.size());
  CHECK(run.slow_replies_seen == above_floor.size());
  for (std::size_t i = 0; i < above_floor.size(); ++i) REQUIRE(run.slow_replies[i].sent_ns == above_floor[i]);
  CHECK(run.lost_probes.size() == truth.lost);
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  for (const TimelineBin& bin : run.timeline.bins) sent += bin.sent, answered += bin.answered, lost += bin.lost;
  CHECK(sent == truth.sent);
  CHECK(answered == truth.answered);
  CHECK(lost == truth.lost);
  const Progress progress = aggregator.progress();
  CHECK(progress.sent == truth.sent);
  CHECK(progress.answered == truth.answered);
  CHECK(progress.lost == truth.lost);
  CHECK(progress.not_sent == truth.not_sent);
  std::sort(truth.rtts.begin(), truth.rtts.end());
  const double p50 = static_cast<double>(truth.rtts[(truth.rtts.size() + 1) / 2 - 1]);
  CHECK(std::abs(static_cast<double>(progress.rtt_p50_ns) / p50 - 1.0) < 0.001);
  CHECK(run.local.not_sent == not_sent);
  CHECK(run.local.send_errors == std::accumulate(not_sent.begin() + 1, not_sent.begin() + 6, std::uint64_t{0}));
}

TEST_CASE("any sequence of amendments keeps late and directions within lost", "[stats]") {
  const auto plan = plan_of(1, 64);
  Aggregator aggregator(plan);
  OutcomeMaker maker(plan, 19);
  std::mt19937_64 random(4);
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t dice = random() % 10;
    if (dice < 4) {
      aggregator.on_outcome(maker.next());
    } else if (dice < 8) {
      probe::Amendment amendment;
      amendment.source_port = 32'768;
      amendment.kind = static_cast<probe::AmendmentKind>(random() % 3);
      aggregator.on_amendment(amendment);
    } else {
      aggregator.on_stray(0, static_cast<probe::StrayKind>(random() % 3));
    }
    if (i % 100 != 0) continue;
    const RunResult run = aggregator.result({});
    check_invariants(run.destinations[0]);
    for (const PortResult& port : run.destinations[0].ports) REQUIRE(port.reverse <= port.lost);
  }
}

TEST_CASE("facts of the run reach the result", "[stats]") {
  auto plan = plan_of(2, 4);
  plan.skipped_ports = {32'770};
  Aggregator aggregator(plan);
  Outcome outcome;
  outcome.verdict = Verdict::answered;
  outcome.source_port = 32'768;
  for (int i = 0; i < 990; ++i) aggregator.on_outcome(outcome);
  outcome.verdict = Verdict::not_sent;
  outcome.not_sent = NotSentReason::no_buffer;
  outcome.lag_ns = 5'000;
  for (int i = 0; i < 10; ++i) aggregator.on_outcome(outcome);
  outcome.not_sent = NotSentReason::table_full;
  outcome.lag_ns = 900'000'000;
  for (int i = 0; i < 500; ++i) aggregator.on_outcome(outcome);
  RunFacts facts;
  facts.interrupted = true;
  facts.started_ns = 17;
  facts.elapsed_ns = 2'000'000'000;
  facts.sending_ns = 1'000'000'000;
  facts.capture_drops = 3;
  facts.interface_drops = 4;
  facts.receive.foreign = 5;
  facts.in_flight = {0, 1};
  const RunResult run = aggregator.result(facts);
  CHECK(run.interrupted);
  CHECK(run.started_ns == 17);
  CHECK(run.elapsed_ns == 2'000'000'000);
  CHECK(run.local.capture_drops == 3);
  CHECK(run.local.interface_drops == 4);
  CHECK(run.local.receive.foreign == 5);
  CHECK(run.local.rate_asked_pps == 1'000.0);
  CHECK(run.local.rate_achieved_pps == Approx(1'000.0));  // 1001 tries in a second
  CHECK(run.local.sender_lag.max_ns == 5'000);            // what was never tried has no lag
  CHECK(run.local.sender_lag.p50_ns == 0);
  CHECK(run.local.send_errors == 10);
  CHECK(run.local.skipped_ports == std::vector<std::uint16_t>{32'770});
  CHECK(run.destinations[1].in_flight == 1);
  CHECK(run.destinations[1].sent == 1);
}

TEST_CASE("an empty run has a result", "[stats]") {
  const auto plan = plan_of(1, 16);
  const Aggregator aggregator(plan);
  const RunResult run = aggregator.result({});
  CHECK(run.destinations.at(0).sent == 0);
  CHECK(run.destinations[0].loss.high == 1.0);
  CHECK(run.destinations[0].rtt.count == 0);
  CHECK(run.destinations[0].ports.empty());
  CHECK(run.timeline.bins.empty());
  CHECK(run.local.rate_achieved_pps == 0.0);
  CHECK(aggregator.progress().rtt_p50_ns == 0);
}

TEST_CASE("ports beyond the record limit are said to be left out", "[stats]") {
  const auto plan = plan_of(3, 30'000);
  Aggregator aggregator(plan);
  Outcome outcome;
  outcome.source_port = 40'000;
  outcome.destination = 2;
  aggregator.on_outcome(outcome);
  outcome.destination = 9;  // of no plan: ignored
  aggregator.on_outcome(outcome);
  const RunResult run = aggregator.result({});
  CHECK_FALSE(run.destinations[1].ports_left_out);
  CHECK(run.destinations[2].ports_left_out);
  CHECK(run.destinations[2].ports.empty());
  CHECK(run.destinations[2].source_ports_used == 1);
}

TEST_CASE("the list of lost probes is bounded", "[stats]") {
  auto plan = plan_of(1, 4);
  plan.duration = std::chrono::seconds(0);
  Aggregator aggregator(plan);
  Outcome outcome;
  outcome.source_port = 32'768;
  for (std::uint64_t i = 0; i < kListedLostProbes + 10; ++i) {
    outcome.number = i;
    aggregator.on_outcome(outcome);
  }
  const RunResult run = aggregator.result({});
  CHECK(run.lost_probes.size() == kListedLostProbes);
  CHECK(run.destinations[0].lost == kListedLostProbes + 10);
  CHECK(run.destinations[0].ports[0].lost == kListedLostProbes + 10);
}

TEST_CASE("memory is small and does not grow", "[stats]") {
  CHECK(Aggregator(plan_of(1, 2'048)).memory_bytes() < 4'000'000);
  auto fast = plan_of(1, 32'768);
  fast.rate_pps = 20'000.0;
  give_rss(fast, 8);
  CHECK(Aggregator(fast).memory_bytes() < 16'000'000);
  CHECK(Aggregator(plan_of(1'000, 2'048)).memory_bytes() < 96'000'000);

  auto plan = plan_of(1, 2'048);
  Aggregator aggregator(plan);
  const std::size_t before = aggregator.memory_bytes();
  OutcomeMaker maker(plan, 1);
  std::vector<Outcome> some;
  for (int i = 0; i < 10'000; ++i) some.push_back(maker.next());
  for (std::uint64_t round = 0; round < 1'000; ++round) {
    for (Outcome& outcome : some) {
      outcome.sent_ns += 10'000'000'000;
      aggregator.on_outcome(outcome);
    }
  }
  CHECK(aggregator.memory_bytes() == before);
  const RunResult run = aggregator.result({});
  CHECK(run.destinations[0].sent + run.destinations[0].not_sent == 10'000'000);
  CHECK(run.timeline.bins.size() <= 1'024);
  CHECK(run.slow_replies.size() <= kListedSlowReplies);
  check_invariants(run.destinations[0]);
}

}  // namespace volley::stats

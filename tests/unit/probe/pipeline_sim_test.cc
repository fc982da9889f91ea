// The whole sending and matching pipeline over the simulated network, against
// its truth: no loss invented, none missed, every counter where it belongs.
#include <catch2/catch.hpp>
#include <cmath>

#include "../../sim/simulated_run.h"
#include "sample_plan.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/matcher.h"
#include "volley/probe/sprayer.h"

using namespace volley;
using namespace volley::probe;
using namespace volley::sim;
using namespace std::chrono_literals;

namespace {

PlanRequest counted(Protocol protocol, std::uint64_t count, double rate) {
  PlanRequest request = sample::request(protocol);
  request.count = count;
  request.rate_pps = rate;
  return request;
}

struct Done {
  OutcomeLog log;
  RunReport report;
  Truth truth;
  CaptureCounters capture;
  std::size_t half_open = 0;
};

Done run_to_end(const PlanRequest& request, const Settings& settings, const RunOptions& options = {}) {
  Done done;
  const ProbePlan plan = sample::plan(request);
  SimulatedNetwork network(settings);
  done.report = run(plan, network, done.log, options);
  done.truth = network.truth();
  done.capture = network.counters();
  done.half_open = network.half_open_entries();
  CHECK(done.log.contradictions() == 0);
  return done;
}

// Within four standard deviations of a binomial count.
bool is_about(std::uint64_t count, double n, double p) {
  return std::abs(static_cast<double>(count) - n * p) <= 4 * std::sqrt(n * p * (1 - p)) + 1;
}

std::int64_t quantile(const std::vector<std::int64_t>& sorted, double q) {
  return sorted.at(static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1)));
}

}  // namespace

TEST_CASE("a sound path: everything answered, RTT true", "[sim]") {
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
    for (const bool is_v6 : {false, true}) {
      PlanRequest request = counted(protocol, 3000, 1000);
      const std::uint16_t port = protocol == Protocol::icmp ? 0 : 443;
      if (is_v6) request.destinations = {sample::destination("fd00::7", port, "fd00::9")};
      const Done d = run_to_end(request, {});
      CAPTURE(static_cast<int>(protocol), is_v6);
      CHECK(d.log.count(Verdict::answered) == 3000);
      CHECK(d.log.outcomes.size() == 3000);
      CHECK(d.log.strays.empty());
      CHECK(d.report.counters.foreign == 0);
      CHECK(d.report.counters.malformed == 0);
      const auto rtts = d.log.rtts();
      REQUIRE(rtts.size() == 3000);
      CHECK(rtts.front() >= 100 * kMicrosecond);
      CHECK(rtts.back() <= 110 * kMicrosecond);
      CHECK(d.half_open == 0);
    }
  }
}

TEST_CASE("closed ports answer with resets, and UDP with port unreachable", "[sim]") {
  Settings settings;
  settings.target.open_tcp.clear();
  settings.target.udp_echo.clear();
  const Done tcp = run_to_end(counted(Protocol::tcp, 1000, 1000), settings);
  CHECK(tcp.log.count(Verdict::answered) == 1000);
  CHECK(tcp.log.outcomes[0].reply == ReplyKind::rst);
  const Done udp = run_to_end(counted(Protocol::udp, 1000, 1000), settings);
  CHECK(udp.log.count(Verdict::answered) == 1000);
  CHECK(udp.log.outcomes[0].reply == ReplyKind::port_unreachable);
}

TEST_CASE("a silent target: all lost, no direction", "[sim]") {
  Settings settings;
  settings.target.is_silent = true;
  const Done d = run_to_end(counted(Protocol::tcp, 1000, 1000), settings);
  CHECK(d.log.count(Verdict::lost) == 1000);
  CHECK(d.log.reverse() == 0);
}

TEST_CASE("nothing wraps at 65,536 probes, nor at 16 bits of ids", "[sim]") {
  for (const Protocol protocol : {Protocol::icmp, Protocol::tcp}) {
    const Done d = run_to_end(counted(protocol, 70'000, 20'000), {});
    CHECK(d.log.count(Verdict::answered) == 70'000);
    CHECK(d.log.outcomes.size() == 70'000);
    CHECK(d.log.strays.empty());
    CHECK(d.report.counters.foreign == 0);
    CHECK(d.log.rtts().back() <= 120 * kMicrosecond);
  }
}

TEST_CASE("200,000 probes at 20,000/s: no false loss", "[sim]") {
  const Done d = run_to_end(counted(Protocol::tcp, 200'000, 20'000), {});
  CHECK(d.log.count(Verdict::answered) == 200'000);
  CHECK(d.log.outcomes.size() == 200'000);
  CHECK(d.report.schedule_skips == 0);
  CHECK(d.report.ended_ns >= 10 * kSecond - kMillisecond);
}

TEST_CASE("three targets, 22,000 probes each: each answer to its own", "[sim]") {
  PlanRequest request = counted(Protocol::icmp, 22'000, 30'000);
  request.destinations = {sample::destination("10.0.3.6", 0), sample::destination("10.0.3.7", 0),
                          sample::destination("10.0.3.8", 0)};
  Settings settings;
  settings.reverse = [](const wire::DecodedPacket& packet, std::int64_t, Generator&) {
    return Fate{.is_lost = packet.ip.source == sample::address("10.0.3.8")};
  };
  const Done d = run_to_end(request, settings);
  std::array<std::uint64_t, 3> answered{};
  for (const Outcome& o : d.log.outcomes) answered[o.destination] += o.verdict == Verdict::answered ? 1U : 0U;
  CHECK(answered == std::array<std::uint64_t, 3>{22'000, 22'000, 0});
  CHECK(d.log.count(Verdict::lost) == 22'000);
}

TEST_CASE("UDP and ICMP loss is counted to the probe", "[sim]") {
  for (const Protocol protocol : {Protocol::udp, Protocol::icmp}) {
    Settings settings;
    settings.forward = lose(0.03);
    settings.reverse = lose(0.02);
    const Done d = run_to_end(counted(protocol, 10'000, 5000), settings);
    CHECK(d.log.count(Verdict::lost) == d.truth.forward_lost + d.truth.first_replies_lost);
    CHECK(d.log.count(Verdict::answered) == d.truth.first_replies_arrived);
    CHECK(d.log.count(AmendmentKind::late) == 0);
  }
}

TEST_CASE("every answer duplicated: loss stays what it was", "[sim]") {
  Settings settings;
  settings.reverse =
      both(lose(0.1), [](const wire::DecodedPacket&, std::int64_t, Generator&) { return Fate{.copies = 1}; });
  const Done d = run_to_end(counted(Protocol::icmp, 5000, 2000), settings);
  CHECK(d.log.count(Verdict::lost) == d.truth.first_replies_lost);
  CHECK(d.log.count(StrayKind::duplicate) == d.truth.copies_arrived);
  CHECK(d.log.count(Verdict::answered) == d.truth.first_replies_arrived);
}

TEST_CASE("reordered answers are counted, each once", "[sim]") {
  Settings settings;
  settings.jitter_ns = 0;
  std::uint64_t seen = 0;
  settings.reverse = [&seen](const wire::DecodedPacket&, std::int64_t, Generator&) {
    return Fate{.delay_ns = ++seen % 10 == 0 ? 2500 * kMicrosecond : 0};
  };
  const Done d = run_to_end(counted(Protocol::udp, 1000, 1000), settings);
  // The last one has no later probe to be overtaken by.
  CHECK(d.log.reordered() == 99);
  CHECK(d.log.count(Verdict::answered) == 1000);
}

TEST_CASE("an answer after the timeout is late, and never another probe's", "[sim]") {
  Settings settings;
  std::uint64_t seen = 0;
  settings.reverse = [&seen](const wire::DecodedPacket&, std::int64_t, Generator&) {
    return Fate{.delay_ns = ++seen % 100 == 0 ? 2000 * kMillisecond : 0};
  };
  const Done d = run_to_end(counted(Protocol::udp, 5000, 1000), settings);
  CHECK(d.log.count(Verdict::lost) == 50);
  // The run ends at the timeout of the last probes; late answers until then are seen.
  CHECK(d.log.count(AmendmentKind::late) >= 35);
  CHECK(d.log.count(AmendmentKind::late) <= 50);
  CHECK(d.log.rtts().back() < kMillisecond);
}

TEST_CASE("what this host did not send is not_sent", "[sim]") {
  Settings settings;
  SECTION("errors of the write") {
    settings.write_error = [](std::uint64_t packet) {
      return packet % 10 == 3 ? NotSentReason::no_buffer : NotSentReason::none;
    };
    const Done d = run_to_end(counted(Protocol::tcp, 2000, 1000), settings);
    CHECK(d.log.count(Verdict::not_sent) == 200);
    CHECK(d.log.count(Verdict::answered) == 1800);
    CHECK(d.log.count(Verdict::lost) == 0);
  }
  SECTION("all of them") {
    settings.write_error = [](std::uint64_t) { return NotSentReason::not_permitted; };
    const Done d = run_to_end(counted(Protocol::tcp, 2000, 1000), settings);
    CHECK(d.log.count(Verdict::not_sent) == 2000);
    CHECK(d.log.sent() == 0);
  }
  SECTION("a full queueing discipline") {
    settings.is_dropped_locally = [](std::uint64_t packet) { return packet % 4 == 1; };
    settings.reverse = lose(0.05);
    const Done d = run_to_end(counted(Protocol::icmp, 2000, 1000), settings);
    CHECK(d.log.count(Verdict::not_sent) == 500);
    CHECK(d.log.count(Verdict::lost) == d.truth.first_replies_lost);
    CHECK(d.log.outcomes.size() == 2000);
  }
}

TEST_CASE("frames that the capture misses make loss an upper bound, never below the truth", "[sim]") {
  Settings settings;
  settings.is_missed_by_capture = [](std::uint64_t frame) { return frame % 50 == 7; };
  const Done d = run_to_end(counted(Protocol::icmp, 5000, 2000), settings);
  CHECK(d.capture.dropped == 200);
  CHECK(d.log.count(Verdict::not_sent) == 0);
  CHECK(d.log.count(Verdict::lost) + d.log.count(Verdict::answered) == 5000);
  CHECK(d.log.count(Verdict::lost) <= d.capture.dropped);
  CHECK(d.report.counters.rtt_without_departure + d.log.count(Verdict::lost) == d.capture.dropped);
}

TEST_CASE("an interrupt leaves what is in flight as that", "[sim]") {
  Settings settings;
  settings.one_way_ns = 100 * kMillisecond;
  RunOptions options;
  options.interrupt_at_ns = 2 * kSecond;
  const Done d = run_to_end(counted(Protocol::tcp, 10'000, 1000), settings, options);
  CHECK(d.log.count(Verdict::lost) == 0);
  CHECK(d.log.count(Verdict::in_flight) > 150);
  CHECK(d.log.count(Verdict::in_flight) < 250);
  CHECK(d.log.outcomes.size() == d.report.begun);
}

TEST_CASE("a stopped process loses nothing and sends no burst", "[sim]") {
  RunOptions options;
  options.stall_from_ns = 2 * kSecond;
  options.stall_to_ns = 4 * kSecond;
  PlanRequest request = sample::request();
  request.duration = 6s;
  const Done d = run_to_end(request, {}, options);
  CHECK(d.report.schedule_skips == 1);
  CHECK(d.report.begun == 4000 + 1);
  CHECK(d.log.count(Verdict::answered) == d.report.begun);
  CHECK(d.log.rtts().back() <= 120 * kMicrosecond);
}

TEST_CASE("a step of the clock costs RTTs in flight alone", "[sim]") {
  for (const std::int64_t step : {-120 * kSecond, 3600 * kSecond, 300 * kMillisecond, -300 * kMillisecond}) {
    Settings settings;
    settings.one_way_ns = 10 * kMillisecond;
    RunOptions options;
    options.clock_step_at_ns = 1500 * kMillisecond;
    options.clock_step_ns = step;
    const Done d = run_to_end(counted(Protocol::icmp, 3000, 1000), settings, options);
    CAPTURE(step);
    CHECK(d.log.count(Verdict::answered) == 3000);
    CHECK(d.log.rtts().size() > 2950);
    CHECK(d.log.rtts().back() < 30 * kMillisecond);
    CHECK(d.log.rtts().front() >= 20 * kMillisecond);
    CHECK(d.report.counters.clock_steps == 1);
  }
}

TEST_CASE("two runs side by side never mix", "[sim]") {
  // Both probe the same port from the same ports under the same seed; the second
  // run's answers are injected into the first one's capture.
  PlanRequest request = counted(Protocol::tcp, 2000, 1000);
  request.source_port_count = 256;
  const ProbePlan mine = sample::plan(request);
  request.id_nonce = 77;
  const ProbePlan other = sample::plan(request);
  REQUIRE(mine.source_ports == other.source_ports);
  std::vector<std::pair<CapturedFrame, std::vector<std::uint8_t>>> theirs;
  OutcomeLog ignored;
  Settings settings;
  settings.seed = 5;
  SimulatedNetwork other_network(settings);
  other_network.on_captured = [&](const CapturedFrame& frame) {
    theirs.emplace_back(frame, std::vector<std::uint8_t>(frame.bytes.begin(), frame.bytes.end()));
  };
  run(other, other_network, ignored);

  FlightTable table(flight_capacity(mine));
  Sprayer sprayer(mine, table, 0);
  settings.reverse = lose(0.05);
  SimulatedNetwork network(settings);
  OutcomeLog log;
  Matcher matcher(mine, table, log, network.wall_ns());
  std::size_t next = 0;
  for (std::int64_t now = 0; now < 4 * kSecond; now += 5 * kMillisecond) {
    while (sprayer.next_due_ns() && *sprayer.next_due_ns() <= now) {
      network.advance(*sprayer.next_due_ns());
      sprayer.step(network.now_ns(), network.wall_ns(), network);
    }
    network.advance(now);
    network.poll(0ns, matcher);
    for (; next < theirs.size() && theirs[next].first.time_ns <= network.wall_ns(); ++next) {
      theirs[next].first.bytes = theirs[next].second;
      matcher.on_frame(theirs[next].first);
    }
    matcher.settle(network.wall_ns(), 0);
  }
  matcher.finish(network.wall_ns(), 0);
  CHECK(log.count(Verdict::answered) + log.count(Verdict::lost) + log.count(Verdict::stale_half_open) == 2000);
  CHECK(log.count(Verdict::answered) == network.truth().first_replies_arrived);
  CHECK(matcher.counters().foreign == 2000);
  CHECK(log.count(StrayKind::duplicate) == 0);
}

TEST_CASE("one queue loses and one is slow: both are seen, the others untouched", "[sim]") {
  PlanRequest request = counted(Protocol::tcp, 16'000, 2000);
  request.rss = sample::rss_config(8);
  Settings settings;
  settings.forward = both(on_queue(*request.rss, 3, lose(0.05)),
                          on_queue(*request.rss, 5, [](const wire::DecodedPacket&, std::int64_t, Generator&) {
                            return Fate{.delay_ns = 3 * kMillisecond};
                          }));
  const ProbePlan plan = sample::plan(request);
  SimulatedNetwork network(settings);
  OutcomeLog log;
  run(plan, network, log);
  std::array<std::uint64_t, 8> sent{};
  std::array<std::uint64_t, 8> lost{};
  std::array<std::vector<std::int64_t>, 8> rtts;
  for (const Outcome& o : log.outcomes) {
    const rss::QueueId queue = remote_queue(plan, plan.destinations[0], o.source_port);
    ++sent[queue];
    lost[queue] += o.verdict == Verdict::lost ? 1U : 0U;
    if (o.rtt_ns) rtts[queue].push_back(*o.rtt_ns);
  }
  for (std::size_t queue = 0; queue < 8; ++queue) {
    CAPTURE(queue);
    CHECK(sent[queue] == 2000);
    CHECK((lost[queue] != 0) == (queue == 3));
    std::sort(rtts[queue].begin(), rtts[queue].end());
    const std::int64_t median = quantile(rtts[queue], 0.5);
    CHECK(median >= (queue == 5 ? 3100 : 100) * kMicrosecond);
    CHECK(median <= (queue == 5 ? 3115 : 115) * kMicrosecond);
  }
  CHECK(is_about(lost[3], 2000, 0.05));
}

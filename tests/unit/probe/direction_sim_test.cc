// Direction of loss over the simulated network (DESIGN rule 5): what the target
// sends again, challenge ACKs, SYN cookies, suppressed resets.
#include <catch2/catch.hpp>
#include <cmath>

#include "../../sim/simulated_run.h"
#include "sample_plan.h"

using namespace volley;
using namespace volley::probe;
using namespace volley::sim;
using namespace std::chrono_literals;

namespace {

struct Done {
  OutcomeLog log;
  RunReport report;
  Truth truth;
};

Done run_tcp(double rate, std::uint32_t ports, std::uint64_t count, const Settings& settings) {
  PlanRequest request = sample::request();
  request.rate_pps = rate;
  request.count = count;
  request.source_port_count = ports;
  Done done;
  SimulatedNetwork network(settings);
  done.report = run(sample::plan(request), network, done.log);
  done.truth = network.truth();
  CHECK(done.log.contradictions() == 0);
  CHECK(done.log.sent() == count);
  return done;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TEST_CASE("10 % of the answers lost: 8 to 12 % lost, 85 % of it reverse and more", "[sim]") {
  for (const double rate : {1000.0, 2000.0}) {
    Settings settings;
    settings.reverse = lose(0.1);
    const Done d = run_tcp(rate, 1024, 20'000, settings);
    CAPTURE(rate, d.truth.challenges_arrived, d.truth.syn_acks_resent);
    const std::uint64_t lost = d.log.count(Verdict::lost);
    CHECK(share(lost, d.log.sent()) > 0.08);
    CHECK(share(lost, d.log.sent()) < 0.12);
    CHECK(share(d.log.reverse(), lost) >= 0.85);
    CHECK(d.log.reverse() <= d.truth.first_replies_lost);
    CHECK(d.log.count(Verdict::stale_half_open) <= d.truth.challenges_arrived);
    CHECK(d.log.count(StrayKind::duplicate) == 0);
    CHECK(d.log.count(AmendmentKind::late) == 0);
    CHECK(d.report.counters.foreign == 0);
    CHECK(d.log.rtts().back() <= 120 * kMicrosecond);
  }
}

TEST_CASE("10 % of the requests lost: none of it reverse", "[sim]") {
  Settings settings;
  // Only probes; resets get through.
  settings.forward = [probes = lose(0.1)](const wire::DecodedPacket& packet, std::int64_t now, Generator& generator) {
    return packet.tcp->flags == wire::tcp_flag::kSyn ? probes(packet, now, generator) : Fate{};
  };
  const Done d = run_tcp(1000, 2048, 20'000, settings);
  CHECK(d.log.count(Verdict::lost) == d.truth.forward_lost);
  CHECK(d.log.reverse() == 0);
  CHECK(d.log.strays.empty());
}

TEST_CASE("a lost reset is seen by what the target sends again", "[sim]") {
  Settings settings;
  settings.forward = lose(0.05);
  const Done d = run_tcp(1000, 2048, 20'000, settings);
  CHECK(d.truth.resets_lost > 500);
  CHECK(d.log.count(Verdict::lost) == d.truth.forward_lost);
  CHECK(d.log.reverse() == 0);
  CHECK(d.log.count(StrayKind::reset_resent) > d.truth.resets_lost * 8 / 10);
  CHECK(d.log.count(StrayKind::duplicate) == 0);
}

TEST_CASE("5 % lost each way: both directions within what the counts allow", "[sim]") {
  Settings settings;
  settings.forward = lose(0.05);
  settings.reverse = lose(0.05);
  const Done d = run_tcp(1000, 2048, 40'000, settings);
  const std::uint64_t reverse = d.log.reverse();
  CAPTURE(d.truth.forward_lost, d.truth.first_replies_lost, reverse);
  CHECK(reverse <= d.truth.first_replies_lost);
  CHECK(share(reverse, d.truth.first_replies_lost) >= 0.85);
  const std::uint64_t unsigned_losses = d.log.count(Verdict::lost) - reverse;
  CHECK(share(unsigned_losses, d.truth.forward_lost) > 0.9);
  CHECK(share(unsigned_losses, d.truth.forward_lost) < 1.15);
}

TEST_CASE("SYN cookies never resend: no direction", "[sim]") {
  Settings settings;
  settings.target.uses_syn_cookies = true;
  settings.reverse = lose(0.1);
  const Done d = run_tcp(1000, 1024, 10'000, settings);
  CHECK(d.log.count(Verdict::lost) == d.truth.first_replies_lost);
  CHECK(d.log.reverse() == 0);
  CHECK(d.log.count(StrayKind::syn_ack_resent) == 0);
}

TEST_CASE("a host that eats its own resets: seen by the sample", "[sim]") {
  Settings settings;
  const Done sound = run_tcp(1000, 2048, 10'000, settings);
  CHECK(sound.report.counters.resets_expected > 500);
  CHECK(sound.report.counters.resets_seen == sound.report.counters.resets_expected);
  settings.our_kernel_resets = false;
  const Done eaten = run_tcp(1000, 2048, 10'000, settings);
  CHECK(eaten.report.counters.resets_expected > 500);
  CHECK(eaten.report.counters.resets_seen == 0);
  CHECK(eaten.log.count(StrayKind::reset_resent) > 5000);
}

TEST_CASE("resent SYN-ACKs in a run with a long timeout", "[sim]") {
  PlanRequest request = sample::request();
  request.count = 10'000;
  request.timeout = 5s;
  Settings settings;
  settings.reverse = lose(0.1);
  OutcomeLog log;
  SimulatedNetwork network(settings);
  run(sample::plan(request), network, log);
  CHECK(share(log.reverse(), log.count(Verdict::lost)) >= 0.85);
  CHECK(log.rtts().back() <= 120 * kMicrosecond);
  CHECK(log.contradictions() == 0);
}

TEST_CASE("a slow path: the windows move with the round trip", "[sim]") {
  Settings settings;
  settings.one_way_ns = 150 * kMillisecond;
  settings.jitter_ns = 20 * kMillisecond;
  settings.reverse = lose(0.1);
  const Done d = run_tcp(1000, 2048, 20'000, settings);
  const std::uint64_t lost = d.log.count(Verdict::lost);
  CHECK(share(lost, d.log.sent()) > 0.08);
  CHECK(share(lost, d.log.sent()) < 0.12);
  CHECK(share(d.log.reverse(), lost) >= 0.85);
  CHECK(d.log.rtts().front() >= 300 * kMillisecond);
}

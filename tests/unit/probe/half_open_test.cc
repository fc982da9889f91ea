// Tests of DESIGN rule 5 with hand-made frames: resent SYN-ACKs, challenge ACKs.
#include "volley/probe/half_open.h"

#include "matcher_bench.h"

using namespace volley;
using namespace volley::probe;
using namespace std::chrono_literals;

namespace {

// A round trip that the windows can go by: 100 us.
void measure_rtt(MatcherBench& b) {
  const auto n = b.send(100, 999'999, 0);
  b.syn_ack(n, 100'000);
}

}  // namespace

TEST_CASE("the windows follow the round trip", "[half_open]") {
  ResendWindows windows(2);
  CHECK(windows.hold(0, 1000 * kMs));
  CHECK(windows.hold(0, 1300 * kMs));  // no round trip known yet
  for (int i = 0; i < 50; ++i) windows.note_rtt(0, 20 * kMs);
  CHECK_FALSE(windows.hold(0, 1010 * kMs));
  for (const std::int64_t ms : {1020, 1080, 3020, 3080, 7020, 7370}) CHECK(windows.hold(0, ms * kMs));
  for (const std::int64_t ms : {500, 1000, 1100, 2000, 2990, 3100, 6900, 7500}) CHECK_FALSE(windows.hold(0, ms * kMs));
  CHECK(windows.hold(1, 1300 * kMs));
  CHECK(windows.min_rtt_ns(0) == 20 * kMs);
}

TEST_CASE("a resent SYN-ACK makes a loss reverse", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto n = b.send(0, 1, 0);
  b.settle(1005 * kMs);
  REQUIRE(b.outcome(n).verdict == Verdict::lost);
  CHECK(b.matcher.has_undirected_losses());
  b.syn_ack(n, 1020 * kMs);
  b.settle(1100 * kMs);
  REQUIRE(b.log.amendments.size() == 1);
  CHECK(b.log.amendments[0].kind == AmendmentKind::reverse);
  CHECK(b.log.amendments[0].number == n);
  CHECK(b.log.count(StrayKind::syn_ack_resent) == 1);
  CHECK(b.log.count(StrayKind::duplicate) == 0);
  CHECK_FALSE(b.matcher.has_undirected_losses());
}

TEST_CASE("with a long timeout a resent SYN-ACK is a loss all the same", "[half_open]") {
  PlanRequest request = sample::request();
  request.timeout = 5s;
  MatcherBench b(request);
  measure_rtt(b);
  const auto n = b.send(0, 1, 0);
  b.syn_ack(n, 3040 * kMs);
  b.settle(3100 * kMs);
  const Outcome o = b.outcome(n);
  CHECK(o.verdict == Verdict::lost);
  CHECK(o.sign == LossSign::reverse);
  CHECK_FALSE(o.rtt_ns);
  CHECK(b.log.amendments.empty());
}

TEST_CASE("an answer between the windows is late, or just slow", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto late = b.send(0, 1, 0);
  b.settle(1005 * kMs);
  b.syn_ack(late, 1500 * kMs);
  b.settle(1600 * kMs);
  CHECK(b.log.count(AmendmentKind::late) == 1);
  PlanRequest request = sample::request();
  request.timeout = 5s;
  MatcherBench slow(request);
  measure_rtt(slow);
  const auto n = slow.send(0, 1, 0);
  slow.syn_ack(n, 1500 * kMs);
  slow.settle(1600 * kMs);
  CHECK(slow.outcome(n).rtt_ns == 1500 * kMs);
}

TEST_CASE("a second resent SYN-ACK is no duplicate and no second amendment", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto n = b.send(0, 1, 0);
  b.syn_ack(n, 1020 * kMs, 5000);
  b.syn_ack(n, 1021 * kMs, 5000);  // the network's copy of it
  b.syn_ack(n, 3030 * kMs, 7010);
  b.settle(4000 * kMs);
  CHECK(b.outcome(n).sign == LossSign::reverse);
  CHECK(b.log.amendments.empty());
  CHECK(b.log.count(StrayKind::syn_ack_resent) == 2);
  CHECK(b.log.count(StrayKind::duplicate) == 1);
}

TEST_CASE("resent after an answer: our reset was lost", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto n = b.send(0, 1, 0);
  b.syn_ack(n, 100'000, 4000);
  b.syn_ack(n, 1020 * kMs, 5020);
  const auto copied = b.send(1, 2, 0);
  b.syn_ack(copied, 100'000, 4000);
  b.syn_ack(copied, 1020 * kMs, 4000);  // the same one, delayed: its timestamp is no younger
  b.settle(1100 * kMs);
  CHECK(b.outcome(n).verdict == Verdict::answered);
  CHECK(b.log.count(StrayKind::reset_resent) == 1);
  CHECK(b.log.count(StrayKind::duplicate) == 1);
}

TEST_CASE("a challenge ACK: the older probe is lost on the way back, the newer one met it", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto old = b.send(0, 1, 0);
  b.settle(1005 * kMs);
  REQUIRE(b.outcome(old).verdict == Verdict::lost);
  const auto fresh = b.send(0, 2, 1300 * kMs);
  b.challenge(fresh, old, 1300 * kMs + 100'000);
  b.settle(1400 * kMs);
  REQUIRE(b.log.amendments.size() == 1);
  CHECK(b.log.amendments[0].kind == AmendmentKind::reverse);
  CHECK(b.log.amendments[0].number == old);
  CHECK(b.outcome(fresh).verdict == Verdict::stale_half_open);
  CHECK_FALSE(b.outcome(fresh).rtt_ns);
  CHECK(b.matcher.counters().foreign == 0);
  CHECK_FALSE(b.matcher.has_undirected_losses());
  b.finish(9000 * kMs);
  CHECK(b.log.contradictions() == 0);
}

TEST_CASE("a challenge ACK before the older probe's timeout settles it at once", "[half_open]") {
  PlanRequest request = sample::request();
  request.timeout = 5s;
  MatcherBench b(request);
  measure_rtt(b);
  const auto old = b.send(0, 1, 0);
  const auto fresh = b.send(0, 2, 1300 * kMs);
  b.challenge(fresh, old, 1301 * kMs);
  b.settle(1400 * kMs);
  CHECK(b.outcome(old).verdict == Verdict::lost);
  CHECK(b.outcome(old).sign == LossSign::reverse);
  CHECK(b.outcome(fresh).verdict == Verdict::stale_half_open);
}

TEST_CASE("a challenge ACK belongs to a probe that had left, not to one sent since", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto old = b.send(0, 1, 0);
  const auto fresh = b.send(0, 2, 1300 * kMs);
  const auto newest = b.send(0, 3, 1300 * kMs + 60'000);  // under a round trip before the ACK comes
  b.challenge(fresh, old, 1300 * kMs + 100'000);
  b.settle(1400 * kMs);
  CHECK(b.outcome(fresh).verdict == Verdict::stale_half_open);
  CHECK_FALSE(b.has_outcome(newest));
}

TEST_CASE("a challenge ACK for an answered probe: our reset was lost", "[half_open]") {
  MatcherBench b;
  measure_rtt(b);
  const auto old = b.send(0, 1, 0);
  b.syn_ack(old, 100'000);
  const auto fresh = b.send(0, 2, 900 * kMs);
  b.challenge(fresh, old, 901 * kMs);
  b.settle(1000 * kMs);
  CHECK(b.outcome(old).verdict == Verdict::answered);
  CHECK(b.outcome(fresh).verdict == Verdict::stale_half_open);
  CHECK(b.log.count(StrayKind::reset_resent) == 1);
  CHECK(b.log.amendments.empty());
}

TEST_CASE("a bare ACK of the newest probe itself is an answer of another kind", "[half_open]") {
  MatcherBench b;
  const auto n = b.send(0, 1, 0);
  b.challenge(n, n, kMs);
  b.settle(2 * kMs);
  CHECK(b.outcome(n).reply == ReplyKind::other_tcp);
  CHECK(b.outcome(n).rtt_ns == kMs);
}

TEST_CASE("other flags leave nothing half open", "[half_open]") {
  PlanRequest request = sample::request();
  request.tcp_flags = 0x10;
  MatcherBench b(request);
  const auto n = b.send(0, 1, 0);
  b.settle(1100 * kMs);
  CHECK(b.outcome(n).verdict == Verdict::lost);
  CHECK_FALSE(b.matcher.has_undirected_losses());
}

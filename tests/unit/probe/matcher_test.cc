// Tests of matching with hand-made frames: one rule of DESIGN section 4 each.
#include "volley/probe/matcher.h"

#include "matcher_bench.h"

using namespace volley;
using namespace volley::probe;
using namespace std::chrono_literals;

TEST_CASE("a SYN-ACK answers its probe, with the RTT between the stamps", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.depart(n, 10'000);
  b.syn_ack(n, 110'000);
  b.settle(50 * kMs);
  const Outcome o = b.outcome(n);
  CHECK(o.verdict == Verdict::answered);
  CHECK(o.reply == ReplyKind::syn_ack);
  CHECK(o.rtt_ns == 100'000);
  CHECK(o.sent_ns == 10'000);
  CHECK(o.departure_seen);
  CHECK(o.reply_ttl == 57);
  CHECK(o.source_port == b.port(0));
  CHECK_FALSE(o.reordered);
  CHECK_FALSE(b.matcher.is_waiting(kWall + 50 * kMs));
}

TEST_CASE("a reset answers too", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1000, 0);
  b.tcp(n, 0x14, 0, 1001, 100'000);
  b.settle(kMs);
  CHECK(b.outcome(n).reply == ReplyKind::rst);
}

TEST_CASE("an answer that is read before its departure has its RTT", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.syn_ack(n, 110'000);
  b.depart(n, 10'000);
  b.settle(kMs);
  CHECK(b.outcome(n).rtt_ns == 100'000);
}

TEST_CASE("answers are given in the order of their arrival, whatever the order of reading", "[matcher]") {
  MatcherBench b;
  const auto first = b.send(0, 1, 0);
  const auto second = b.send(1, 2, 1000);
  const auto third = b.send(2, 3, 2000);
  b.syn_ack(third, 70'000);
  b.syn_ack(second, 50'000);
  b.syn_ack(first, 60'000);
  b.settle(kMs);
  REQUIRE(b.log.outcomes.size() == 3);
  CHECK(b.log.outcomes[0].number == second);
  CHECK(b.log.outcomes[1].number == first);
  CHECK(b.log.outcomes[1].reordered);
  CHECK(b.log.outcomes[2].number == third);
  CHECK_FALSE(b.log.outcomes[2].reordered);
}

TEST_CASE("nothing is settled before it is drained", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1, 0);
  b.syn_ack(n, 10 * kMs);
  b.settle(10 * kMs);
  CHECK_FALSE(b.has_outcome(n));
  b.settle(10 * kMs + 1);
  CHECK(b.has_outcome(n));
}

TEST_CASE("an answer without a seen departure has no RTT, and is counted", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.syn_ack(n, 110'000);
  b.settle(kMs);
  CHECK(b.outcome(n).verdict == Verdict::answered);
  CHECK_FALSE(b.outcome(n).rtt_ns);
  CHECK_FALSE(b.outcome(n).departure_seen);
  CHECK(b.matcher.counters().rtt_without_departure == 1);
}

TEST_CASE("no answer within the timeout is a loss, given once it is certain", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1000, 5);
  b.settle(1000 * kMs + 5);
  CHECK_FALSE(b.has_outcome(n));
  CHECK(b.matcher.is_waiting(kWall + 1000 * kMs));
  b.settle(1000 * kMs + 6);
  CHECK(b.outcome(n).verdict == Verdict::lost);
  CHECK(b.outcome(n).sign == LossSign::unsigned_);
  CHECK_FALSE(b.matcher.is_waiting(kWall + 1000 * kMs + 6));
  CHECK(b.matcher.has_undirected_losses());
}

TEST_CASE("an answer at the timeout itself is in time, after it late", "[matcher]") {
  PlanRequest request = sample::request();
  request.timeout = 500ms;
  MatcherBench b(request);
  const auto in_time = b.send(0, 1, 0);
  const auto late = b.send(1, 2, 0);
  const auto later = b.send(2, 3, 0);
  b.syn_ack(in_time, 500 * kMs);
  b.syn_ack(late, 500 * kMs + 1);
  b.settle(600 * kMs);
  b.syn_ack(later, 700 * kMs);
  b.settle(800 * kMs);
  CHECK(b.outcome(in_time).verdict == Verdict::answered);
  CHECK(b.outcome(late).verdict == Verdict::lost);
  CHECK(b.outcome(later).verdict == Verdict::lost);
  CHECK(b.log.count(AmendmentKind::late) == 2);
  CHECK(b.log.count(AmendmentKind::reverse) == 0);
  CHECK_FALSE(b.matcher.has_undirected_losses());
  CHECK(b.log.contradictions() == 0);
}

TEST_CASE("a further reply is a duplicate, and hides no loss", "[matcher]") {
  MatcherBench b;
  const auto answered = b.send(0, 1, 0);
  const auto lost = b.send(1, 2, 0);
  for (int i = 0; i < 3; ++i) b.syn_ack(answered, (10 + i) * kMs);
  b.finish(2000 * kMs);
  CHECK(b.outcome(answered).rtt_ns == 10 * kMs);
  CHECK(b.outcome(lost).verdict == Verdict::lost);
  CHECK(b.log.count(StrayKind::duplicate) == 2);
}

TEST_CASE("a wrong token is foreign, whatever the flow", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1000, 0);
  b.tcp(n, 0x12, 1, 1000, kMs);
  b.tcp(n, 0x12, 1, 1002, kMs);
  b.tcp(n, 0x14, 1, 5, kMs);
  b.tcp(n, 0x10, 1, 77, kMs);
  b.settle(2 * kMs);
  CHECK_FALSE(b.has_outcome(n));
  CHECK(b.matcher.counters().foreign == 4);
}

TEST_CASE("the probe of another run from our port is neither departure nor foreign", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.see(b.row.build(b.builder, b.plan, b.plan.destinations[0], {.token = 999, .source_port = b.port(0)}), 10,
        FrameOrigin::departure);
  b.settle(kMs);
  CHECK_FALSE(b.table.at(n).has_departed);
  CHECK(b.matcher.counters().foreign == 0);
}

TEST_CASE("our own probe that comes back is no departure", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.see(b.packet_of(n), 10, FrameOrigin::arrival);
  b.settle(kMs);
  CHECK_FALSE(b.table.at(n).has_departed);
}

TEST_CASE("malformed frames are counted", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1000, 0);
  auto packet = b.packet_of(n);
  b.see(std::span(packet).first(30), 5, FrameOrigin::departure);
  CHECK(b.matcher.counters().malformed == 1);
  CHECK(b.matcher.counters().frames == 2);
}

TEST_CASE("loopback frames are seen once and tell their side themselves", "[matcher]") {
  PlanRequest request = sample::request();
  request.destinations = {sample::destination("127.0.0.1", 80, "127.0.0.1")};
  MatcherBench b(request);
  const auto n = b.write(0, 1000, 0);
  b.see(b.packet_of(n), 10, FrameOrigin::either);
  b.see(b.builder.tcp(b.back(), {80, b.port(0), 1, 1001, 0x12, 1, {}}, {}), 40, FrameOrigin::either);
  b.settle(kMs);
  CHECK(b.outcome(n).rtt_ns == 30);
  CHECK(b.matcher.counters().foreign == 0);
}

TEST_CASE("an error of the write is not_sent, outside loss", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.table.mark_not_sent(n, NotSentReason::no_buffer);
  b.settle(kMs);
  CHECK(b.outcome(n).verdict == Verdict::not_sent);
  CHECK(b.outcome(n).not_sent == NotSentReason::no_buffer);
}

TEST_CASE("a probe that was never seen leaving was not sent, while the capture dropped nothing", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  const auto next = b.send(1, 1001, kMs);
  b.settle(1500 * kMs);
  CHECK_FALSE(b.has_outcome(n));  // it may leave yet
  CHECK(b.has_outcome(next));
  CHECK_FALSE(b.matcher.is_waiting(kWall + 1500 * kMs));  // but a later one has left
  SECTION("at the end of the run") {
    b.finish(1500 * kMs);
  }
  SECTION("or of its record") {
    b.settle(8100 * kMs);
  }
  CHECK(b.outcome(n).not_sent == NotSentReason::not_departed);
}

TEST_CASE("with capture drops it counts as sent", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.finish(1500 * kMs, 1);
  CHECK(b.outcome(n).verdict == Verdict::lost);
  CHECK_FALSE(b.outcome(n).departure_seen);
}

TEST_CASE("a probe that leaves late is measured from when it left", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, 0);
  b.settle(2000 * kMs);
  b.depart(n, 2400 * kMs);
  b.settle(2450 * kMs);
  CHECK(b.matcher.is_waiting(kWall + 2450 * kMs));
  b.syn_ack(n, 2500 * kMs);
  b.settle(2600 * kMs);
  CHECK(b.outcome(n).verdict == Verdict::answered);
  CHECK(b.outcome(n).rtt_ns == 100 * kMs);
}

TEST_CASE("what is in flight at an early end is neither answered nor lost", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1000, 0);
  b.settle(100 * kMs);
  CHECK(b.matcher.in_flight_by_destination() == std::vector<std::uint64_t>{1});
  b.finish(200 * kMs);
  CHECK(b.outcome(n).verdict == Verdict::in_flight);
  CHECK(b.matcher.in_flight_by_destination() == std::vector<std::uint64_t>{0});
}

TEST_CASE("ICMP errors name a loss; an answer of the target in time outweighs them", "[matcher]") {
  MatcherBench b;
  const auto filtered = b.send(0, 1, 0);
  const auto answered = b.send(1, 2, 0);
  const auto late = b.send(2, 3, 0);
  const auto router = sample::address("10.0.3.1");
  b.icmp_error(filtered, router, 3, 13, kMs);
  b.icmp_error(answered, router, 3, 1, kMs);
  b.syn_ack(answered, 2 * kMs);
  b.settle(1001 * kMs);
  b.icmp_error(late, router, 3, 1, 1100 * kMs);
  b.settle(1200 * kMs);
  CHECK(b.outcome(filtered).verdict == Verdict::lost);
  CHECK(b.outcome(filtered).unreachable == Unreachable{3, 13, router});
  CHECK(b.outcome(answered).verdict == Verdict::answered);
  REQUIRE(b.log.count(AmendmentKind::unreachable) == 1);
  CHECK(b.log.amendments[0].number == late);
  CHECK(b.log.amendments[0].unreachable == Unreachable{3, 1, router});
  CHECK_FALSE(b.matcher.has_undirected_losses());
}

TEST_CASE("an ICMP error that quotes another packet is foreign", "[matcher]") {
  MatcherBench b;
  const auto n = b.send(0, 1, 0);
  b.fields[n].token = 2;
  b.icmp_error(n, sample::address("10.0.3.1"), 3, 13, kMs);
  b.settle(1001 * kMs);
  CHECK(b.matcher.counters().foreign == 1);
  CHECK_FALSE(b.outcome(n).unreachable);
}

TEST_CASE("UDP: port unreachable from the target answers, from a router it does not", "[matcher]") {
  MatcherBench b(sample::request(Protocol::udp));
  const auto closed = b.send(0, 1, 0);
  const auto filtered = b.send(1, 2, 0);
  b.icmp_error(closed, b.plan.destinations[0].address, 3, 3, kMs);
  b.icmp_error(filtered, sample::address("10.0.3.1"), 3, 3, kMs);
  b.settle(1001 * kMs);
  CHECK(b.outcome(closed).reply == ReplyKind::port_unreachable);
  CHECK(b.outcome(closed).rtt_ns == kMs);
  CHECK(b.outcome(filtered).verdict == Verdict::lost);
  CHECK(b.outcome(filtered).unreachable);
  CHECK_FALSE(b.matcher.has_undirected_losses());  // nothing resends in UDP
}

TEST_CASE("UDP without an id: the only probe of its port that waits", "[matcher]") {
  PlanRequest request = sample::request(Protocol::udp);
  request.payload_bytes_given = true;
  MatcherBench b(request);
  const auto reply = [&](std::size_t port, std::int64_t at) {
    b.see(b.builder.udp(b.back(), {443, b.port(port)}, {}), at, FrameOrigin::arrival);
  };
  const auto lone = b.send(0, 1, 0);
  const auto first = b.send(1, 2, 0);
  const auto second = b.send(1, 3, kMs);
  reply(0, 5 * kMs);
  reply(0, 6 * kMs);
  reply(1, 5 * kMs);
  b.settle(10 * kMs);
  CHECK(b.outcome(lone).rtt_ns == 5 * kMs);
  CHECK(b.log.count(StrayKind::duplicate) == 1);
  CHECK_FALSE(b.has_outcome(first));  // either could be meant
  CHECK_FALSE(b.has_outcome(second));
  CHECK(b.matcher.counters().foreign == 1);
}

TEST_CASE("our kernel's resets are sampled against the SYN-ACKs that ask for them", "[matcher]") {
  MatcherBench b;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto n = b.send(i, static_cast<std::uint32_t>(100 * i), 0);
    b.syn_ack(n, kMs);
    if (i < 32) b.reset_leaves(n, kMs + 5);
  }
  b.settle(2 * kMs);
  CHECK(b.matcher.counters().resets_expected == 4);
  CHECK(b.matcher.counters().resets_seen == 2);
}

TEST_CASE("probes that found the table full are not_sent", "[matcher]") {
  MatcherBench b(sample::request(), 16);
  for (std::size_t i = 0; i < 20; ++i) {
    if (b.table.has_room()) {
      b.send(i, static_cast<std::uint32_t>(i), 0);
    } else {
      b.table.skip(0);
    }
  }
  b.settle(kMs);
  CHECK(b.log.count(Verdict::not_sent) == 4);
  CHECK(b.log.outcomes[0].not_sent == NotSentReason::table_full);
  b.settle(2 * kMs);
  CHECK(b.log.count(Verdict::not_sent) == 4);
}

TEST_CASE("a crowded table lets settled records go early, never those that wait", "[matcher]") {
  MatcherBench b(sample::request(), 64);
  for (std::size_t i = 0; i < 64; ++i) {
    const auto n = b.send(i, static_cast<std::uint32_t>(100 * i), 0);
    if (i < 10) b.syn_ack(n, kMs);
  }
  b.settle(2 * kMs);
  CHECK(b.table.tail() == 4);  // a sixteenth is kept free
  b.settle(1001 * kMs);
  CHECK(b.log.count(Verdict::lost) == 54);
}

TEST_CASE("more events than the queue holds are applied early", "[matcher]") {
  PlanRequest request = sample::request();
  request.rate_pps = 30000;
  MatcherBench b(request, 32768);
  for (std::size_t i = 0; i < 20'000; ++i)
    b.syn_ack(b.send(i, static_cast<std::uint32_t>(i * 7), static_cast<std::int64_t>(i)),
              static_cast<std::int64_t>(i) + 1000);
  b.settle(kMs);
  CHECK(b.log.count(Verdict::answered) == 20'000);
}

TEST_CASE("a step of the wall clock becomes no RTT and no loss", "[matcher]") {
  for (const std::int64_t step : {-120'000 * kMs, 120'000 * kMs, -300 * kMs}) {
    MatcherBench b;
    const auto done = b.send(0, 1, 0);
    b.syn_ack(done, kMs);
    const auto across = b.send(1, 2, 500 * kMs);
    b.settle(505 * kMs);
    const auto after = b.write(2, 3, 520 * kMs + step);
    b.syn_ack(across, 521 * kMs + step);
    b.depart(after, 522 * kMs + step);
    b.syn_ack(after, 530 * kMs + step);
    b.matcher.note_clock_step(kWall + 510 * kMs, kWall + 535 * kMs + step);
    b.settle(530 * kMs);  // still the old clock's
    b.settle(560 * kMs + step);
    CHECK(b.outcome(done).rtt_ns == kMs);
    CHECK(b.outcome(across).verdict == Verdict::answered);
    CHECK_FALSE(b.outcome(across).rtt_ns);
    CHECK(b.outcome(after).rtt_ns == 8 * kMs);
    CHECK(b.outcome(after).sent_ns > 490 * kMs);
    CHECK(b.outcome(after).sent_ns < 550 * kMs);
    CHECK(b.matcher.counters().clock_steps == 1);
  }
}

TEST_CASE("time 0 is a time as any other", "[matcher]") {
  MatcherBench b;
  const auto n = b.write(0, 1000, -kWall);
  b.depart(n, -kWall);
  b.syn_ack(n, -kWall + kMs);
  b.settle(-kWall + 2 * kMs);
  CHECK(b.outcome(n).departure_seen);
  CHECK(b.outcome(n).rtt_ns == kMs);
}

// What one destination counts, and the direction of its losses.
#include "volley/stats/destination_record.h"

#include <catch2/catch.hpp>

namespace volley::stats {
namespace {

using probe::AmendmentKind;
using probe::Outcome;
using probe::StrayKind;
using probe::Verdict;

Outcome lost() {
  Outcome outcome;
  outcome.verdict = Verdict::lost;
  return outcome;
}

Outcome answered(std::int64_t rtt_ns) {
  Outcome outcome;
  outcome.verdict = Verdict::answered;
  outcome.reply = probe::ReplyKind::syn_ack;
  outcome.rtt_ns = rtt_ns;
  outcome.reply_ttl = 64;
  return outcome;
}

probe::Amendment amendment(AmendmentKind kind) {
  probe::Amendment result;
  result.kind = kind;
  return result;
}

struct Fixture {
  OctaveArena arena{kTotalBits, kOctaves};
  DestinationRecord record{arena};
  DestinationResult result() const {
    DestinationResult out;
    record.fill(0, out);
    return out;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "losses without a sign are unknown until a resent SYN-ACK was seen", "[stats]") {
  for (int i = 0; i < 10; ++i) record.record(lost());
  record.amend(amendment(AmendmentKind::reverse));
  CHECK(result().direction.unknown == 9);
  CHECK(result().direction.reverse == 1);
  CHECK(result().direction.forward == 0);
  SECTION("a SYN-ACK resent to a lost probe") {
    record.record(StrayKind::syn_ack_resent);
  }
  SECTION("a SYN-ACK resent because our reset was lost") {
    record.record(StrayKind::reset_resent);
  }
  CHECK(result().direction.forward == 9);
  CHECK(result().direction.reverse == 1);
  CHECK(result().direction.unknown == 0);
  record.amend(amendment(AmendmentKind::late));
  CHECK(result().late == 1);
  CHECK(result().direction.forward == 8);
  CHECK(result().direction.unknown == 1);
}

TEST_CASE_METHOD(Fixture, "a reverse loss may be known at once", "[stats]") {
  Outcome outcome = lost();
  outcome.sign = probe::LossSign::reverse;
  record.record(outcome);
  CHECK(result().direction.reverse == 1);
}

TEST_CASE_METHOD(Fixture, "loss is of answered and lost alone", "[stats]") {
  for (int i = 0; i < 90; ++i) record.record(answered(100'000));
  for (int i = 0; i < 10; ++i) record.record(lost());
  for (const Verdict verdict : {Verdict::in_flight, Verdict::stale_half_open, Verdict::not_sent}) {
    Outcome outcome;
    outcome.verdict = verdict;
    for (int i = 0; i < 50; ++i) record.record(outcome);
  }
  DestinationResult out;
  record.fill(7, out);
  CHECK(out.loss.value == Approx(0.1));
  CHECK(out.sent == 90 + 10 + 50 + 50 + 7);
  CHECK(out.in_flight == 57);
  CHECK(out.stale_half_open == 50);
  CHECK(out.not_sent == 50);
}

TEST_CASE_METHOD(Fixture, "answers count by kind, TTL and RTT", "[stats]") {
  Outcome rst = answered(300'000);
  rst.reply = probe::ReplyKind::rst;
  rst.reply_ttl = 255;
  rst.reordered = true;
  record.record(answered(100'000));
  record.record(rst);
  Outcome blind = answered(0);
  blind.rtt_ns.reset();
  blind.reply_ttl = 0;
  record.record(blind);
  record.record(StrayKind::duplicate);
  const DestinationResult out = result();
  CHECK(out.answered == 3);
  CHECK(out.replies.syn_ack == 2);
  CHECK(out.replies.rst == 1);
  CHECK(out.answered_without_rtt == 1);
  CHECK(out.rtt.count == 2);
  CHECK(out.rtt.mean_ns == 200'000);
  CHECK(out.jitter_ns == 12'500);
  CHECK(out.reply_ttl_min == 64);
  CHECK(out.reply_ttl_max == 255);
  CHECK(out.reordered == 1);
  CHECK(out.duplicates == 1);
  CHECK(out.rtt_error < 0.001);
}

TEST_CASE_METHOD(Fixture, "ICMP errors count by what and who, of losses alone", "[stats]") {
  probe::Unreachable host{.type = 3, .code = 1, .from = {}};
  host.from.octets = {10, 0, 0, 1};
  probe::Unreachable filtered = host;
  filtered.code = 13;
  Outcome outcome = lost();
  outcome.unreachable = host;
  record.record(outcome);
  record.record(outcome);
  probe::Amendment late = amendment(AmendmentKind::unreachable);
  late.unreachable = filtered;
  record.amend(late);
  Outcome answer = answered(5);
  answer.reply = probe::ReplyKind::port_unreachable;
  answer.unreachable = host;
  record.record(answer);
  const DestinationResult out = result();
  REQUIRE(out.replies.unreachable.size() == 2);
  CHECK(out.replies.unreachable[0].what == host);
  CHECK(out.replies.unreachable[0].count == 2);
  CHECK(out.replies.unreachable[1].what == filtered);
  CHECK(out.replies.port_unreachable == 1);
  CHECK(out.lost == 2);
}

TEST_CASE_METHOD(Fixture, "a flood of different ICMP errors stays bounded", "[stats]") {
  Outcome outcome = lost();
  for (std::uint8_t i = 0; i < 200; ++i) {
    outcome.unreachable = probe::Unreachable{.type = 3, .code = i, .from = {}};
    record.record(outcome);
  }
  CHECK(result().replies.unreachable.size() == kUnreachableKinds);
  CHECK(result().replies.unreachable_unlisted == 200 - kUnreachableKinds);
}

}  // namespace volley::stats

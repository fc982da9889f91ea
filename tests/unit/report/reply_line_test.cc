// The line of one reply (-v).
#include "volley/report/reply_line.h"

#include <catch2/catch.hpp>

#include "samples.h"

using namespace volley::report;
namespace probe = volley::probe;

namespace {

probe::Outcome syn_ack() {
  probe::Outcome outcome;
  outcome.source_port = 41017;
  outcome.verdict = probe::Verdict::answered;
  outcome.reply = probe::ReplyKind::syn_ack;
  outcome.sent_ns = 1'234'567'890;
  outcome.rtt_ns = 93'100;
  outcome.reply_ttl = 62;
  outcome.reply_flags = 0x12;
  outcome.reply_window = 65160;
  return outcome;
}

}  // namespace

TEST_CASE("reply line of a SYN-ACK", "[report][reply_line]") {
  CHECK(to_text(reply_line_of(samples::bad_queue().plan, syn_ack())) ==
        "    1.234568  port 41017  10.0.3.7:443  SYN-ACK  flags SYN,ACK  ttl 62  window 65160  rtt 0.093 ms");
}

TEST_CASE("reply line: IPv6, no RTT, a queue", "[report][reply_line]") {
  probe::Outcome outcome = syn_ack();
  outcome.rtt_ns.reset();
  outcome.local_queue = 3;
  CHECK(
      to_text(reply_line_of(samples::interrupted().plan, outcome)) ==
      "    1.234568  port 41017  [fd00:3::7]:443  SYN-ACK  flags SYN,ACK  ttl 62  window 65160  rtt unknown  queue 3");
}

TEST_CASE("reply line of an echo reply has no ports, flags or window", "[report][reply_line]") {
  probe::Outcome outcome;
  outcome.reply = probe::ReplyKind::echo_reply;
  outcome.rtt_ns = 1'000'000'000;
  CHECK(to_text(reply_line_of(samples::icmp_one_queue().plan, outcome)) ==
        "    0.000000  10.0.3.7  echo reply  rtt 1000.000 ms");
}

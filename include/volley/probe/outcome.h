// What became of one probe: the value that the matcher hands to the statistics.
//
// Plain values. Each probe gets exactly one Outcome; what is learned later
// (a reply after the timeout, the direction of a loss) comes as an Amendment,
// which never moves a probe between sent, answered and lost.
#pragma once

#include <cstdint>
#include <optional>

#include "volley/rss/config.h"
#include "volley/wire/address.h"

namespace volley::probe {

enum class Verdict : std::uint8_t {
  answered,         // the first reply that proves it reached the target, in time
  lost,             // no such reply within the timeout (late, unreachable and reverse losses included)
  not_sent,         // this host did not send it: outside sent and lost
  stale_half_open,  // reached the target, but met an older half-open entry there
  in_flight,        // the run ended before its timeout: sent, neither answered nor lost
};

enum class ReplyKind : std::uint8_t { none, syn_ack, rst, echo_reply, udp_reply, port_unreachable, other_tcp };

// Evidence of where a lost probe's packet or its reply vanished (DESIGN rule 5).
// The split of `unsigned_` into forward and unknown is made at the end of a run.
enum class LossSign : std::uint8_t { unsigned_, reverse };

enum class NotSentReason : std::uint8_t {
  none,
  no_buffer,      // ENOBUFS, ENOMEM
  not_permitted,  // EPERM, EACCES: a local firewall
  no_route,       // ENETUNREACH, EHOSTUNREACH, ENETDOWN
  too_big,        // EMSGSIZE
  other_error,
  not_departed,  // written, but never seen leaving while the capture dropped nothing
  table_full,    // the table of probes in flight had no place
};

// An ICMP error that answered a probe without proving that it reached the target.
struct Unreachable {
  std::uint8_t type = 0;
  std::uint8_t code = 0;
  wire::IpAddress from;
  friend bool operator==(const Unreachable&, const Unreachable&) = default;
};

struct Outcome {
  std::uint64_t number = 0;       // probe number in the run, from 0
  std::uint32_t destination = 0;  // index into plan.destinations
  std::uint16_t source_port = 0;  // 0 for ICMP
  Verdict verdict = Verdict::lost;
  ReplyKind reply = ReplyKind::none;
  NotSentReason not_sent = NotSentReason::none;
  LossSign sign = LossSign::unsigned_;
  std::int64_t sent_ns = 0;  // since the start of the run; the departure stamp if seen, else the write
  bool departure_seen = false;
  std::int64_t lag_ns = 0;             // written this much after its intended time; 0 where unknown
  std::optional<std::int64_t> rtt_ns;  // answered with both stamps known; never negative
  std::uint8_t reply_ttl = 0;          // 0: none
  std::uint8_t reply_flags = 0;        // of a TCP reply (wire::tcp_flag), else 0
  std::uint16_t reply_window = 0;      // of a TCP reply, unscaled, else 0
  bool reordered = false;              // its reply came after the reply of a later probe (RFC 4737 section 3)
  std::optional<rss::QueueId> local_queue;
  std::optional<Unreachable> unreachable;
};

enum class AmendmentKind : std::uint8_t {
  late,         // the lost probe was answered after the timeout
  reverse,      // the lost probe turned out to be lost on the way back
  unreachable,  // an ICMP error came for it after the timeout
};

struct Amendment {
  std::uint64_t number = 0;
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;
  std::int64_t sent_ns = 0;
  AmendmentKind kind = AmendmentKind::late;
  std::optional<Unreachable> unreachable;
};

// Events that belong to a destination, but to no probe's verdict.
enum class StrayKind : std::uint8_t {
  duplicate,       // a further reply to an answered probe
  syn_ack_resent,  // the target sent its SYN-ACK again
  reset_resent,    // a SYN-ACK resent AFTER an answered probe: our reset was lost
};

// Counters of the receive path that belong to no destination.
struct ReceiveCounters {
  std::uint64_t frames = 0;                 // captured frames looked at
  std::uint64_t foreign = 0;                // came to our ports or id, failed the check
  std::uint64_t malformed = 0;              // could not be decoded
  std::uint64_t rtt_without_departure = 0;  // answered, departure not seen: no RTT
  std::uint64_t resets_seen = 0;            // our kernel's resets seen leaving (sampled ports only)
  std::uint64_t resets_expected = 0;        // SYN-ACKs on the same sampled ports
  std::uint64_t clock_steps = 0;            // steps of the wall clock noticed
};

}  // namespace volley::probe

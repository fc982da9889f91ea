// One line for one reply (-v).
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "volley/probe/outcome.h"
#include "volley/probe/plan.h"

namespace volley::report {

struct ReplyLine {
  std::int64_t sent_ns = 0;  // since the start of the run
  wire::IpAddress address;   // of the target
  probe::Protocol protocol = probe::Protocol::tcp;
  std::uint16_t port = 0;         // of the target
  std::uint16_t source_port = 0;  // of the probe
  probe::ReplyKind kind = probe::ReplyKind::none;
  std::uint8_t tcp_flags = 0;               // of a TCP reply, else 0
  std::uint8_t ttl = 0;                     // 0: unknown
  std::uint16_t window = 0;                 // of a TCP reply, unscaled
  std::optional<std::int64_t> rtt_ns;       // nullopt: a stamp is missing
  std::optional<rss::QueueId> local_queue;  // where it arrived
};

// The line of an answered probe.
ReplyLine reply_line_of(const probe::ProbePlan& plan, const probe::Outcome& outcome);

// Without its end, in columns: time of sending, source port, target, reply,
// TTL, window, RTT.
std::string to_text(const ReplyLine& line);

}  // namespace volley::report

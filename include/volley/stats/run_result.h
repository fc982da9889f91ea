// The finished statistics of a run: what diagnosis reads and report prints.
//
// Plain values without behaviour; any thread. Times are integer nanoseconds,
// ratios 0 to 1. The fields follow the JSON schema volley.probe/1 (DESIGN section 7).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "volley/probe/outcome.h"
#include "volley/rss/config.h"
#include "volley/wire/address.h"

namespace volley::stats {

struct RttSummary {
  std::uint64_t count = 0;
  // All zero (and printed as null) when count is 0.
  std::int64_t min_ns = 0;
  std::int64_t mean_ns = 0;
  std::int64_t stddev_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p90_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t p999_ns = 0;
  std::int64_t max_ns = 0;
};

// A histogram for the eye: `counts` over bins that are equally wide in log(RTT)
// between low_ns and high_ns. Empty when nothing was measured.
struct RttShape {
  std::int64_t low_ns = 0;
  std::int64_t high_ns = 0;
  std::vector<std::uint64_t> counts;
};

struct Ratio {
  double value = 0.0;
  double low = 0.0;  // 95 % Wilson interval
  double high = 1.0;
};

struct UnreachableCount {
  probe::Unreachable what;
  std::uint64_t count = 0;
};

struct ReplyCounts {
  std::uint64_t syn_ack = 0;
  std::uint64_t rst = 0;
  std::uint64_t echo_reply = 0;
  std::uint64_t udp_reply = 0;
  std::uint64_t port_unreachable = 0;
  std::uint64_t other_tcp = 0;
  std::uint64_t syn_ack_resent = 0;
  std::uint64_t reset_resent = 0;
  std::vector<UnreachableCount> unreachable;
  std::uint64_t unreachable_unlisted = 0;  // beyond kUnreachableKinds different ones
};

struct LossDirection {
  std::uint64_t forward = 0;
  std::uint64_t reverse = 0;
  std::uint64_t unknown = 0;
};

// Records are kept for the source ports of the first destinations, as far as
// both limits reach; DestinationResult::ports_left_out tells where they don't.
inline constexpr std::size_t kPortRecords = 65'536;  // (destination, port) pairs
inline constexpr std::size_t kPortDestinations = 1'024;
inline constexpr std::size_t kUnreachableKinds = 16;       // a destination
inline constexpr std::size_t kListedSlowReplies = 65'536;  // a run
inline constexpr std::size_t kListedLostProbes = 65'536;   // a run

struct PortResult {
  std::uint16_t port = 0;
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  std::uint64_t reverse = 0;  // of the lost: on the way back
  std::uint64_t slow = 0;     // replies above DestinationResult::slow_threshold_ns
  std::uint64_t rtt_count = 0;
  std::int64_t rtt_min_ns = 0;
  std::int64_t rtt_mean_ns = 0;
  std::int64_t rtt_max_ns = 0;
};

// How many replies of each port were slower than each of a row of thresholds:
// the first is near the median, the excess over it grows by half octaves.
struct PortTails {
  std::vector<std::int64_t> thresholds_ns;  // ascending; empty without RTT
  // For entry p of DestinationResult::ports and threshold t, the replies above
  // it stand at [p * thresholds_ns.size() + t].
  std::vector<std::uint32_t> above;
};

struct QueueResult {
  rss::QueueId queue = 0;
  std::uint64_t sent = 0;  // local queues: 0, only replies are observed
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  Ratio loss;
  RttSummary rtt;
  double rtt_error = 0.0;  // as in DestinationResult
  RttShape shape;          // between the bounds of the destination's shape, so that queues compare
};

struct DestinationResult {
  std::string target;  // the host as the user wrote it
  wire::IpAddress address;
  std::uint16_t port = 0;
  std::uint64_t sent = 0;  // = answered + lost + in_flight + stale_half_open
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  std::uint64_t late = 0;  // of the lost
  std::uint64_t duplicates = 0;
  std::uint64_t reordered = 0;
  std::uint64_t not_sent = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t stale_half_open = 0;
  std::uint64_t answered_without_rtt = 0;
  Ratio loss;
  ReplyCounts replies;
  LossDirection direction;
  RttSummary rtt;
  double rtt_error = 0.0;  // every quantile is within this share of its true value
  RttShape shape;
  std::int64_t jitter_ns = 0;      // RFC 3550 section 6.4.1, final value
  std::uint8_t reply_ttl_min = 0;  // 0: no reply
  std::uint8_t reply_ttl_max = 0;
  // The first threshold of `tails` at or above four times the median; 0: without RTT or ports.
  std::int64_t slow_threshold_ns = 0;
  std::uint64_t source_ports_used = 0;  // where ports_left_out: at most as many
  std::vector<PortResult> ports;        // every port used, ascending; empty beyond the record limit
  PortTails tails;
  bool ports_left_out = false;             // used, but beyond the record limit
  std::vector<QueueResult> remote_queues;  // empty unless RSS is known
  std::vector<QueueResult> local_queues;   // empty unless observed
  bool remote_queues_left_out = false;     // RSS is known, but beyond the record limit
  std::uint64_t local_queue_unlisted = 0;  // replies on queues beyond the record limit
};

struct TimelineBin {
  std::int64_t t_ns = 0;  // begin, since the start of the run, by time of sending
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  std::optional<std::int64_t> rtt_p50_ns;
  std::optional<std::int64_t> rtt_p99_ns;
};

struct Timeline {
  std::int64_t bin_ns = 0;
  std::vector<TimelineBin> bins;  // at most 1024
};

// A reply far above the median of its destination so far (slow_replies.h has the threshold).
struct SlowReply {
  std::int64_t sent_ns = 0;  // since the start of the run
  std::int64_t rtt_ns = 0;
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;
  std::optional<rss::QueueId> local_queue{};
  friend bool operator==(const SlowReply&, const SlowReply&) = default;
};

struct LostProbe {
  std::uint64_t number = 0;
  std::int64_t sent_ns = 0;  // since the start of the run
  std::uint32_t destination = 0;
  std::uint16_t source_port = 0;
  friend bool operator==(const LostProbe&, const LostProbe&) = default;
};

struct SenderLag {
  std::int64_t p50_ns = 0;
  std::int64_t p99_ns = 0;
  std::int64_t max_ns = 0;
};

struct LocalResult {
  double rate_asked_pps = 0.0;  // 0: as fast as possible
  // Probes that the sender tried to write (all but table_full) less one, per
  // time from the first to the last; what became of the writes is in not_sent.
  double rate_achieved_pps = 0.0;
  SenderLag sender_lag;
  std::uint64_t capture_drops = 0;
  std::uint64_t interface_drops = 0;
  // Probes not sent, by reason; index is probe::NotSentReason.
  std::array<std::uint64_t, 8> not_sent{};
  std::uint64_t send_errors = 0;  // not_sent by an error of the kernel: all reasons but not_departed and table_full
  probe::ReceiveCounters receive;
  std::vector<std::uint16_t> skipped_ports;
};

struct RunResult {
  bool interrupted = false;
  std::int64_t started_ns = 0;  // CLOCK_REALTIME
  std::int64_t elapsed_ns = 0;
  std::vector<DestinationResult> destinations;
  LocalResult local;
  Timeline timeline;
  // All of them while slow_replies_seen <= kListedSlowReplies, else a uniform
  // sample of that many; by time of sending.
  std::vector<SlowReply> slow_replies;
  std::uint64_t slow_replies_seen = 0;
  std::vector<LostProbe> lost_probes;  // the first kListedLostProbes, by number
};

}  // namespace volley::stats

// What is counted for one destination of the plan, and the result made from it.
//
// Invariant: sent = answered + lost + in_flight + stale_half_open; a probe moves
// none of them after its outcome. Fixed size. Receiver thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "volley/probe/outcome.h"
#include "volley/probe/outcome_sink.h"
#include "volley/stats/histogram.h"
#include "volley/stats/jitter.h"
#include "volley/stats/run_result.h"
#include "volley/stats/slow_replies.h"

namespace volley::stats {

class DestinationRecord {
 public:
  explicit DestinationRecord(OctaveArena& arena) : rtt_(arena) {}

  void record(const probe::Outcome& outcome);
  void amend(const probe::Amendment& amendment);
  void record(probe::StrayKind kind);

  std::uint64_t sent() const { return answered_ + lost_ + in_flight_ + stale_half_open_; }
  std::uint64_t answered() const { return answered_; }
  std::uint64_t lost() const { return lost_; }
  std::uint64_t not_sent() const { return not_sent_; }
  const Histogram& rtt() const { return rtt_; }
  // An RTT above it goes into the list of slow replies.
  std::int64_t slow_floor_ns() const { return slow_floor_.floor_ns(); }

  // Everything but identity, ports and queues. `in_flight` adds to what ended in flight.
  void fill(std::uint64_t in_flight, DestinationResult& result) const;

 private:
  static constexpr std::size_t kReplyKinds = 7;

  void record_answer(const probe::Outcome& outcome);
  void record_unreachable(const probe::Unreachable& what);
  LossDirection direction() const;

  std::uint64_t answered_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t stale_half_open_ = 0;
  std::uint64_t not_sent_ = 0;
  std::uint64_t late_ = 0;
  std::uint64_t reverse_ = 0;
  std::uint64_t reordered_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t syn_ack_resent_ = 0;
  std::uint64_t reset_resent_ = 0;
  std::uint64_t answered_without_rtt_ = 0;
  std::array<std::uint64_t, kReplyKinds> replies_{};  // index is probe::ReplyKind
  std::uint8_t reply_ttl_min_ = 0;                    // 0: no reply
  std::uint8_t reply_ttl_max_ = 0;
  Jitter jitter_;
  SlowFloor slow_floor_;
  Histogram rtt_;
  std::array<UnreachableCount, kUnreachableKinds> unreachable_{};
  std::size_t unreachable_kinds_ = 0;
  std::uint64_t unreachable_unlisted_ = 0;
};

}  // namespace volley::stats

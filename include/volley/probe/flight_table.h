// The probes in flight: a ring of records with hash chains over it, in fixed memory.
//
// One sender thread publishes, one receiver thread finds and releases; the two
// share only the indexes (release/acquire). A record is published before its
// frame is written, so no reply can overtake it. Numbers are 64-bit; nothing
// wraps: slot = number mod capacity, and a chain ends at the first number that
// was released (as in a sliding-window compressor, so nothing is ever deleted).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "volley/probe/outcome.h"
#include "volley/probe/plan.h"

namespace volley::probe {

// What of a probe comes back in any answer: hashed into the chain's key.
// TCP and UDP: destination and source port; ICMP: destination, id and sequence.
struct FlowKey {
  std::uint32_t destination = 0;
  std::uint32_t local = 0;  // source port, or ICMP id << 16 | sequence
  friend bool operator==(const FlowKey&, const FlowKey&) = default;
};

// Receiver's view of where a probe stands.
enum class FlightState : std::uint8_t {
  awaited,
  answered,  // its outcome was given as answered
  settled,   // its outcome was given as anything else
};

struct FlightRecord {
  // Written by the sender before publishing, never changed afterwards (but for
  // written_ns, which the receiver moves when the wall clock was stepped).
  FlowKey key;
  std::uint32_t token = 0;  // the keyed 32-bit probe id
  std::uint16_t source_port = 0;
  // The receiver's own, as everything below unless said.
  std::uint16_t unreachable = 0;      // 1 + index of the ICMP error that came for it; 0: none
  std::uint32_t chain_step = 0;       // sender: how many numbers back the chain goes on; 0: ends
  std::uint32_t lag_ns = 0;           // sender: written after intended time, saturating
  std::int64_t written_ns = 0;        // sender: wall clock just before the write
  std::int64_t departure_ns = 0;      // wall clock; means something only with has_departed
  std::uint32_t reply_timestamp = 0;  // TCP timestamp of the latest reply; 0: none
  // Written by the sender after the write failed.
  std::atomic<NotSentReason> not_sent{NotSentReason::none};
  FlightState state = FlightState::awaited;
  Verdict verdict = Verdict::in_flight;  // once settled
  LossSign sign = LossSign::unsigned_;
  ReplyKind reply = ReplyKind::none;
  bool has_departed = false;       // it was seen leaving
  bool has_arrived = false;        // a reply, timely or not, proves that it reached the target
  bool is_clock_stepped = false;   // the wall clock was stepped while it was in flight
  bool is_direction_open = false;  // a loss whose direction a resent SYN-ACK may still tell

  // When it left, as well as is known.
  std::int64_t sent_ns() const { return has_departed ? departure_ns : written_ns; }
};

class FlightTable {
 public:
  // A power of two.
  explicit FlightTable(std::size_t capacity);
  ~FlightTable();
  FlightTable(const FlightTable&) = delete;
  FlightTable& operator=(const FlightTable&) = delete;

  std::size_t capacity() const;

  // Makes room for skip(); before the threads start.
  void prepare_skips(std::size_t destinations);

  // --- sender ---
  // False if the oldest record has not been released yet: then the probe must
  // be counted as not sent (NotSentReason::table_full) through skip().
  bool has_room() const;
  // Number of the probe; the record is findable from now on.
  std::uint64_t publish(const FlowKey& key, std::uint32_t token, std::uint16_t source_port, std::int64_t written_ns,
                        std::uint32_t lag_ns);
  void mark_not_sent(std::uint64_t number, NotSentReason reason);
  void skip(std::uint32_t destination);

  // --- receiver ---
  std::uint64_t head() const;  // one past the newest published number
  std::uint64_t tail() const;  // oldest number not released
  FlightRecord& at(std::uint64_t number);
  const FlightRecord& at(std::uint64_t number) const;
  // Newest published number with this key, and from there older ones.
  std::optional<std::uint64_t> newest(const FlowKey& key) const;
  std::optional<std::uint64_t> older(std::uint64_t number, const FlowKey& key) const;
  void release_up_to(std::uint64_t number);  // new tail
  // Probes skipped so far: all together, and of one destination.
  std::uint64_t skipped() const;
  std::uint64_t skipped(std::uint32_t destination) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All records together stay within this.
inline constexpr std::size_t kMaxFlightBytes = std::size_t{48} << 20U;
inline constexpr std::size_t kMaxFlightCapacity = std::size_t{1} << 19U;

// How long a record is kept after its probe was written: the last resent
// SYN-ACK that is waited for comes 7.35 s later (DESIGN rule 5).
inline constexpr std::chrono::nanoseconds kFlightHold = std::chrono::seconds(8);

// Records for rate x (the longest wait of rule 5 plus the timeout), a power of
// two, bounded so that the table stays within 48 MB, and no more than the run
// has probes.
std::size_t flight_capacity(const ProbePlan& plan);

}  // namespace volley::probe

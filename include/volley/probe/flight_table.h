// The probes in flight: a ring of records with hash chains over it, in fixed memory.
//
// One sender thread publishes, one receiver thread finds and releases; the two
// share only the indexes (release/acquire). A record is published before its
// frame is written, so no reply can overtake it. Numbers are 64-bit; nothing
// wraps: slot = number mod capacity, and a chain ends at the first number that
// was released (as in a sliding-window compressor, so nothing is ever deleted).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
enum class FlightState : std::uint8_t { awaited, answered, settled };

struct FlightRecord {
  // Written by the sender before publishing, never changed afterwards.
  FlowKey key;
  std::uint32_t token = 0;  // the keyed 32-bit probe id
  std::uint16_t source_port = 0;
  std::uint32_t chain_step = 0;  // how many numbers back the chain goes on; 0: ends
  std::uint32_t lag_ns = 0;      // written after intended time, saturating
  std::int64_t written_ns = 0;   // wall clock just before the write
  // Written by the sender after the write failed.
  std::atomic<NotSentReason> not_sent{NotSentReason::none};
  // The receiver's own.
  FlightState state = FlightState::awaited;
  LossSign sign = LossSign::unsigned_;
  bool stale = false;
  std::int64_t departure_ns = 0;  // wall clock; 0: not seen yet
  std::int64_t arrival_ns = 0;    // wall clock of the first proving reply; 0: none
  ReplyKind reply = ReplyKind::none;
  std::uint8_t reply_ttl = 0;
};

class FlightTable {
 public:
  // A power of two.
  explicit FlightTable(std::size_t capacity);

  std::size_t capacity() const;

  // --- sender ---
  // False if the oldest record has not been released yet: then the probe must
  // be counted as not sent (NotSentReason::table_full) through skip().
  bool has_room() const;
  // Number of the probe; the record is findable from now on.
  std::uint64_t publish(const FlowKey& key, std::uint32_t token, std::uint16_t source_port, std::int64_t written_ns,
                        std::uint32_t lag_ns);
  void mark_not_sent(std::uint64_t number, NotSentReason reason);

  // --- receiver ---
  std::uint64_t head() const;  // one past the newest published number
  std::uint64_t tail() const;  // oldest number not released
  FlightRecord& at(std::uint64_t number);
  // Newest published number with this key, and from there older ones.
  std::optional<std::uint64_t> newest(const FlowKey& key) const;
  std::optional<std::uint64_t> older(std::uint64_t number, const FlowKey& key) const;
  void release_up_to(std::uint64_t number);  // new tail

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

// Records for rate x (the longest wait of rule 5 plus the timeout), a power of
// two, bounded so that the table stays within 48 MB.
std::size_t flight_capacity(const ProbePlan& plan);

}  // namespace volley::probe

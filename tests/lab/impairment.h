// What the rules of one direction do to each frame: lost, late, twice, held.
//
// Pure: time comes in as an argument, randomness from seeded generators, one a
// rule and queue, so that the same frames meet the same fate in each run.
// Every queue has its own state under a rule; stall windows are the rule's and
// fall on all its queues at once. One thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "rule.h"

namespace lab {

// Bits that say what happened to a frame.
enum Action : std::uint16_t {
  kLost = 1U << 0U,
  kOverflowed = 1U << 1U,  // the ring of a rule was full
  kStalled = 1U << 2U,     // waited for the end of a stall
  kQueued = 1U << 3U,      // waited for its turn under a rate
  kDelayed = 1U << 4U,     // delay or jitter
  kReordered = 1U << 5U,   // held back
  kDuplicated = 1U << 6U,  // sent twice; set on both
  kOwnDrop = 1U << 7U,     // the NIC could not write it: no rule asked for this
};

// "stalled+delayed", or "passed".
std::string action_text(std::uint16_t actions);

struct Verdict {
  std::uint16_t actions = 0;
  Nanoseconds release_at = 0;     // the present, or later
  std::uint32_t hold_frames = 0;  // held until so many later frames of the queue went; 0: not
  Nanoseconds duplicate_at = 0;   // when kDuplicated: when the copy goes
  bool is_dropped() const { return (actions & (kLost | kOverflowed)) != 0; }
};

struct Window {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

class Impairments {
 public:
  // `epoch` is when the stall clocks start: window k begins k+1 periods later.
  Impairments(std::vector<Rule> rules, std::size_t queue_count, std::uint64_t seed, Nanoseconds epoch);

  // `queue`: where the frame goes; `reverse_queue`: where its flow's other
  // direction goes; `forward`: the facts as the client sends them.
  Verdict judge(const FrameFacts& facts, const FrameFacts& forward, QueueId queue, QueueId reverse_queue,
                Nanoseconds now);

  const std::vector<Rule>& rules() const { return rules_; }
  // The stall windows of a rule that began before `now`, the first `limit`.
  std::vector<Window> stall_windows(std::size_t rule, Nanoseconds now, std::size_t limit) const;

 private:
  struct State {
    std::mt19937_64 generator;
    std::uint64_t seen = 0;
    bool in_burst = false;
    Nanoseconds busy_until = 0;
    std::deque<Nanoseconds> waiting;  // when each waiting frame is served, ascending
  };

  static bool is_lost(const Rule& rule, State& state);
  // The time of service from `at` on; false when the ring is full.
  bool serve(const Rule& rule, State& state, Nanoseconds& at, std::uint16_t& actions) const;
  static void defer(const Rule& rule, State& state, Verdict& verdict);

  std::vector<Rule> rules_;
  std::vector<std::vector<State>> states_;  // [rule][queue]
  Nanoseconds epoch_;
};

}  // namespace lab

// The frames that wait inside the NIC: a heap by deadline, and holds by count.
//
// Invariant: each frame that was added is taken exactly once. Frames of equal
// deadline leave in the order in which they came. No clock: time is an
// argument. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <vector>

#include "frame.h"
#include "rss.h"
#include "rule.h"

namespace lab {

enum class Direction : std::uint8_t { to_target, to_client };

// A frame on its way through the NIC.
struct Frame {
  std::vector<std::uint8_t> bytes;
  FrameFacts facts;
  Direction direction = Direction::to_target;
  QueueId queue = 0;
  QueueId reverse_queue = 0;
  std::uint16_t actions = 0;
  Nanoseconds read_at = 0;   // wall clock
  Nanoseconds deadline = 0;  // monotonic clock; when to write it
};

class HeldFrames {
 public:
  static constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::max();
  // A frame held for later frames that never come leaves after this time.
  static constexpr Nanoseconds kLongestHold = 100'000'000;

  // `lanes` is the number of places in which frames are counted.
  explicit HeldFrames(std::size_t lanes) : lanes_(lanes) {}

  // Copies the frame; it leaves at frame.deadline.
  void add(const Frame& frame);
  // Copies the frame; it leaves when `count` frames have passed in the lane,
  // or kLongestHold after its deadline.
  void add_until_passed(const Frame& frame, std::size_t lane, std::uint32_t count);

  Nanoseconds next_deadline();
  // Takes the first frame that is due. `out` is exchanged, so that its memory
  // is used again.
  bool take_due(Nanoseconds now, Frame& out);
  // One more frame passed in the lane.
  void count_passed(std::size_t lane);
  // Takes a frame whose count is reached.
  bool take_passed(std::size_t lane, Frame& out);

  std::size_t size() const { return size_; }

 private:
  struct Slot {
    Frame frame;
    std::uint64_t serial = 0;  // 0: free
    std::uint32_t left = 0;    // frames still to pass; counted in a lane only
    std::size_t lane = 0;
    bool is_counted = false;
  };
  struct Entry {
    Nanoseconds deadline;
    std::uint64_t serial;
    std::size_t slot;
    bool operator>(const Entry& other) const {
      return deadline != other.deadline ? deadline > other.deadline : serial > other.serial;
    }
  };

  std::size_t store(const Frame& frame, Nanoseconds deadline);
  void take(std::size_t slot, Frame& out);

  std::vector<Slot> slots_;
  std::vector<std::size_t> free_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::vector<std::vector<std::size_t>> lanes_;  // slots that are held by count
  std::uint64_t next_serial_ = 1;
  std::size_t size_ = 0;
};

}  // namespace lab

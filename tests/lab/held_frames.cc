// The frames that wait inside the NIC. See the header.
#include "held_frames.h"

#include <algorithm>
#include <utility>

namespace lab {

void HeldFrames::add(const Frame& frame) {
  store(frame, frame.deadline);
}

void HeldFrames::add_until_passed(const Frame& frame, std::size_t lane, std::uint32_t count) {
  const std::size_t index = store(frame, frame.deadline + kLongestHold);
  Slot& slot = slots_[index];
  slot.frame.deadline += kLongestHold;
  slot.left = count;
  slot.lane = lane;
  slot.is_counted = true;
  lanes_[lane].push_back(index);
}

std::size_t HeldFrames::store(const Frame& frame, Nanoseconds deadline) {
  if (free_.empty()) {
    free_.push_back(slots_.size());
    slots_.emplace_back();
  }
  const std::size_t index = free_.back();
  free_.pop_back();
  Slot& slot = slots_[index];
  slot.frame = frame;
  slot.serial = next_serial_++;
  slot.is_counted = false;
  heap_.push({deadline, slot.serial, index});
  ++size_;
  return index;
}

// Entries of frames that left by count stay in the heap until they come up.
Nanoseconds HeldFrames::next_deadline() {
  while (!heap_.empty() && slots_[heap_.top().slot].serial != heap_.top().serial) {
    heap_.pop();
  }
  return heap_.empty() ? kNever : heap_.top().deadline;
}

bool HeldFrames::take_due(Nanoseconds now, Frame& out) {
  if (next_deadline() > now) {
    return false;
  }
  take(heap_.top().slot, out);
  heap_.pop();
  return true;
}

void HeldFrames::count_passed(std::size_t lane) {
  for (const std::size_t index : lanes_[lane]) {
    Slot& slot = slots_[index];
    slot.left -= slot.left > 0 ? 1 : 0;
  }
}

bool HeldFrames::take_passed(std::size_t lane, Frame& out) {
  for (const std::size_t index : lanes_[lane]) {
    if (slots_[index].left == 0) {
      take(index, out);
      return true;
    }
  }
  return false;
}

void HeldFrames::take(std::size_t index, Frame& out) {
  Slot& slot = slots_[index];
  if (slot.is_counted) {
    std::vector<std::size_t>& lane = lanes_[slot.lane];
    lane.erase(std::find(lane.begin(), lane.end(), index));
  }
  std::swap(out, slot.frame);
  slot.serial = 0;
  free_.push_back(index);
  --size_;
}

}  // namespace lab

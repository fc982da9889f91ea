// The wish that a run ends, told by one thread to others that may be asleep.
//
// Invariant: once requested, always requested. Any thread may request and ask;
// request() is safe in a signal handler.
#pragma once

#include <atomic>

namespace volley::net {

class StopEvent {
 public:
  StopEvent();  // throws SetupError
  ~StopEvent();
  StopEvent(const StopEvent&) = delete;
  StopEvent& operator=(const StopEvent&) = delete;

  void request();
  bool is_requested() const { return requested_.load(std::memory_order_acquire); }
  // Becomes readable with the request; for poll.
  int descriptor() const { return descriptor_; }

 private:
  std::atomic<bool> requested_ = false;
  int descriptor_ = -1;
};

}  // namespace volley::net

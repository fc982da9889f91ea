// Signals as events that one loop reads.
//
// While it lives, INT, TERM, HUP and QUIT no longer interrupt anything: they
// are read from descriptor(). PIPE is ignored: writing to a closed pipe gives
// EPIPE. Signals that the parent had ignored (nohup, a background job) stay so.
// Made by the main thread before any other is started, so that all inherit its mask.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

namespace volley::net {

enum class SignalEvent : std::uint8_t {
  interrupt,  // INT: stop, with a complete report
  terminate,  // TERM, HUP: the same
  summary,    // QUIT: print the numbers so far and go on
};

class SignalWatch {
 public:
  SignalWatch();  // throws SetupError
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  // The next signal, waiting up to `wait` for one.
  std::optional<SignalEvent> next(std::chrono::nanoseconds wait);
  int descriptor() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::net

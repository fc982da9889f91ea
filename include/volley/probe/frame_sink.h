// The seam on the way out: something that sends finished IP packets.
//
// The net room's raw-socket sender and the tests' simulated network implement
// it. Called by one sender thread only; never blocks for longer than one
// system call.
#pragma once

#include <cstdint>
#include <span>

#include "volley/probe/outcome.h"

namespace volley::probe {

struct OutgoingPacket {
  std::span<const std::uint8_t> bytes;  // begins with the IP header
  std::uint32_t destination = 0;        // index into plan.destinations
  // Filled by send(): none if the packet was handed to the kernel.
  NotSentReason error = NotSentReason::none;
  int system_error = 0;  // errno behind `error`, 0 if none
};

class FrameSink {
 public:
  virtual ~FrameSink() = default;
  // Sends every packet, in order, and sets each one's `error`.
  virtual void send(std::span<OutgoingPacket> packets) = 0;
};

}  // namespace volley::probe

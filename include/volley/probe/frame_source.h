// The seam on the way in: something that yields captured frames with stamps.
//
// The net room's libpcap source, the capture-file reader and the tests'
// simulated network implement it. Called by one receiver thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "volley/rss/config.h"
#include "volley/wire/link_type.h"

namespace volley::probe {

enum class FrameOrigin : std::uint8_t {
  departure,  // leaving this host
  arrival,    // coming in
  either,     // this source can't tell (a capture file, loopback): the packet's flow decides
};

struct CapturedFrame {
  std::int64_t time_ns = 0;  // kernel stamp, CLOCK_REALTIME, nanoseconds since the epoch
  wire::LinkType link_type = wire::LinkType::ethernet;
  FrameOrigin origin = FrameOrigin::either;
  std::optional<rss::QueueId> local_queue;  // receive queue of our own NIC, where observed
  std::span<const std::uint8_t> bytes;      // valid until the handler returns
  std::uint32_t wire_length = 0;            // bytes on the wire, at least bytes.size()
};

struct CaptureCounters {
  std::uint64_t received = 0;
  std::uint64_t dropped = 0;            // by the capture rings: departures and arrivals together
  std::uint64_t interface_dropped = 0;  // by the interface, where it tells
};

class FrameHandler {
 public:
  virtual ~FrameHandler() = default;
  virtual void on_frame(const CapturedFrame& frame) = 0;
};

class FrameSource {
 public:
  virtual ~FrameSource() = default;
  // Waits up to `wait` for frames and hands over all that are there. On return
  // every frame stamped before the call began, less the ring's hold-back time,
  // has been handed over. Returns the number of frames.
  virtual std::size_t poll(std::chrono::nanoseconds wait, FrameHandler& handler) = 0;
  // Frames can be held back by the ring for at most this long.
  virtual std::chrono::nanoseconds hold_back() const = 0;
  virtual CaptureCounters counters() = 0;
};

}  // namespace volley::probe

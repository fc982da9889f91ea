// Sends probes through raw IP sockets: the kernel routes, filters and resolves
// them as any program's packets (DESIGN rule 10).
//
// Invariant: every packet of a send() gets its error; one packet's failure does
// not touch the next. Allocates nothing, throws nothing and waits for nothing
// in send(). Made in the main thread, used by the sender thread alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "volley/probe/frame_sink.h"
#include "volley/probe/plan.h"

namespace volley::net {

struct RawSenderOptions {
  // Indices of OutgoingPacket::destination point into this; copied.
  std::span<const probe::Destination> destinations;
  std::string bind_interface;         // -I; empty: as the kernel routes
  std::optional<std::uint32_t> mark;  // --mark
  std::uint8_t traffic_class = 0;     // DSCP << 2, for routing rules and queueing
  // With a full send buffer one send() waits for room, at most this long; for
  // runs as fast as the machine goes. 0: such packets are not sent.
  std::chrono::nanoseconds buffer_wait{0};
};

class RawSender final : public probe::FrameSink {
 public:
  // Opens one socket for each family and source address, bound to the source.
  // Throws PermissionError without CAP_NET_RAW, SetupError otherwise.
  explicit RawSender(const RawSenderOptions& options);
  ~RawSender() override;
  RawSender(const RawSender&) = delete;
  RawSender& operator=(const RawSender&) = delete;

  void send(std::span<probe::OutgoingPacket> packets) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Pure: the reason behind an errno of a send.
probe::NotSentReason not_sent_reason(int system_error);

}  // namespace volley::net

// Frames of a run that never was on a wire: what the sender writes, and the
// departures and answers that a capture would show of it.
//
// Invariant: every probe is answered, RTT 50 microseconds. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/probe/frame_sink.h"
#include "volley/probe/frame_source.h"
#include "volley/probe/plan.h"
#include "volley/probe/protocol.h"

namespace bench::micro {

inline constexpr std::int64_t kRttNs = 50'000;

// A plan of one TCP destination (IPv4), as fast as it goes; `queues` above 0: RSS known.
volley::probe::ProbePlan sample_plan(std::uint16_t queues = 0);

// Some packet of that plan, and the fields it was built for.
std::vector<std::uint8_t> sample_packet(const volley::probe::ProbePlan& plan, const volley::probe::ProbeFields& fields);

// With an Ethernet header in front, as a capture shows it.
std::vector<std::uint8_t> departure_frame(std::span<const std::uint8_t> packet);
// What a target makes of that SYN.
std::vector<std::uint8_t> syn_ack_frame(std::span<const std::uint8_t> packet);

// Keeps what was sent, with both frames of each probe.
class RecordingSink final : public volley::probe::FrameSink {
 public:
  // Between one probe and the next.
  explicit RecordingSink(std::int64_t spacing_ns) : spacing_ns_(spacing_ns) {}

  void send(std::span<volley::probe::OutgoingPacket> packets) override;
  void clear();

  std::int64_t now_ns = 0;  // when the next probe departs
  std::vector<volley::probe::CapturedFrame> departures;
  std::vector<volley::probe::CapturedFrame> arrivals;

 private:
  std::int64_t spacing_ns_;
  std::vector<std::vector<std::uint8_t>> bytes_;
};

// Takes packets and forgets them.
class NullSink final : public volley::probe::FrameSink {
 public:
  void send(std::span<volley::probe::OutgoingPacket> /*packets*/) override {}
};

}  // namespace bench::micro

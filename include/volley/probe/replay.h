// The second pass over a capture file: its frames take the place of sender and
// receiver, and the matcher gives the same verdicts as in a run.
//
// The frames may be out of order by up to kSlack. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "volley/probe/endpoints.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/frame_source.h"
#include "volley/probe/matcher.h"
#include "volley/probe/outcome_sink.h"
#include "volley/probe/plan.h"
#include "volley/probe/protocol.h"
#include "volley/wire/packet.h"

namespace volley::probe {

// What an end of the file means for probes that were unanswered then.
enum class CaptureEnd : std::uint8_t {
  after_timeouts,  // the capture went on, and nothing came any more: they are lost
  at_last_frame,   // nothing is known after it: they are in flight
};

class Replay final : public FrameHandler {
 public:
  static constexpr std::chrono::nanoseconds kSlack = std::chrono::milliseconds(100);

  // `plan` is from make_replay_plan; `start_wall_ns` is zero of Outcome::sent_ns:
  // Survey::first_frame_ns().
  Replay(const ProbePlan& plan, OutcomeSink& sink, std::int64_t start_wall_ns);

  void on_frame(const CapturedFrame& frame) override;
  void finish(CaptureEnd end);

  const ReceiveCounters& counters() const { return matcher_.counters(); }
  // Between the first and the last probe.
  std::int64_t sending_ns() const { return first_probe_ns_ ? *last_probe_ns_ - *first_probe_ns_ : 0; }
  std::int64_t last_frame_ns() const { return last_frame_ns_; }

 private:
  void publish_probe(const CapturedFrame& frame);
  bool is_known(const FlowKey& key, std::uint32_t token) const;

  const ProbePlan& plan_;
  const ProtocolRow& row_;
  Endpoints endpoints_;
  FlightTable table_;
  Matcher matcher_;
  wire::DecodedPacket packet_;
  std::int64_t last_frame_ns_ = 0;
  std::int64_t settled_ns_ = 0;
  std::optional<std::int64_t> first_probe_ns_;
  std::optional<std::int64_t> last_probe_ns_;
};

}  // namespace volley::probe

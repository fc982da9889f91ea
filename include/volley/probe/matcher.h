// The receiver's side of a run: whose reply is this, and what became of each probe.
//
// Every outcome of DESIGN section 4: departures and arrivals in any order,
// duplicates, late replies, resent SYN-ACKs and challenge ACKs (rule 5), quoted
// ICMP errors, foreign packets. Pure: times are the stamps of the frames.
// Receiver thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "volley/probe/flight_table.h"
#include "volley/probe/frame_source.h"
#include "volley/probe/outcome_sink.h"
#include "volley/probe/plan.h"

namespace volley::probe {

class Matcher final : public FrameHandler {
 public:
  // `start_wall_ns`: zero of Outcome::sent_ns.
  Matcher(const ProbePlan& plan, FlightTable& table, OutcomeSink& sink, std::int64_t start_wall_ns);
  ~Matcher() override;
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // Frames may come in any order; they take effect in the order of their stamps,
  // with the next settle() that reaches them.
  void on_frame(const CapturedFrame& frame) override;

  // Every frame stamped before `drained_ns` (wall clock) has been handed over:
  // settles the probes whose timeout lies before it and releases records that
  // nothing more can come for. `capture_dropped`: frames that the capture has
  // dropped so far; while it is 0, a probe never seen departing was not sent.
  void settle(std::int64_t drained_ns, std::uint64_t capture_dropped);

  // The wall clock was stepped between the stamps `before_ns` and `after_ns`:
  // probes in flight across it get no RTT. `step_ns` is how far it was set, if
  // that is known; 0: taken from the two stamps.
  void note_clock_step(std::int64_t before_ns, std::int64_t after_ns, std::int64_t step_ns = 0);

  // The run is over: settles what `drained_ns` lets it settle, reports the rest
  // as in flight. Afterwards every probe has had its outcome.
  void finish(std::int64_t drained_ns, std::uint64_t capture_dropped);

  // True while a probe of which something may still come is unsettled:
  // departures outstanding or timeouts running at `now_ns`.
  bool is_waiting(std::int64_t now_ns) const;
  // TCP losses were seen whose direction a resent SYN-ACK may still tell.
  bool has_undirected_losses() const;

  const ReceiveCounters& counters() const;
  std::vector<std::uint64_t> in_flight_by_destination() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::probe

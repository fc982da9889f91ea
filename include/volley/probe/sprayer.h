// The sender's side of a run: when the next probe is due, which destination and
// source port it gets, its id, its bytes; published in the flight table before
// it is handed to the sink.
//
// Open loop: nothing that comes back changes what is sent. Pure: time comes in
// as an argument. Sender thread only, except where said.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "volley/probe/flight_table.h"
#include "volley/probe/frame_sink.h"
#include "volley/probe/plan.h"

namespace volley::probe {

class Sprayer {
 public:
  // `start_monotonic_ns` is t0: probe n is due at t0 + n / rate. The table
  // must outlive the sprayer.
  Sprayer(const ProbePlan& plan, FlightTable& table, std::int64_t start_monotonic_ns);
  ~Sprayer();
  Sprayer(const Sprayer&) = delete;
  Sprayer& operator=(const Sprayer&) = delete;

  // CLOCK_MONOTONIC nanoseconds at which step() has work; nullopt once count
  // or duration is reached.
  std::optional<std::int64_t> next_due_ns() const;

  // Sends probes that are due at `monotonic_ns`: one below 10,000/s, above a
  // batch of at most 100 microseconds of schedule; at rate 0 one full batch.
  // One call to the sink at most, so that each batch is stamped by fresh clocks:
  // call again while next_due_ns() has passed. Returns the number of probes
  // handed to the sink.
  std::size_t step(std::int64_t monotonic_ns, std::int64_t wall_ns, FrameSink& sink);

  // Probes begun so far, skipped ones included; any thread.
  std::uint64_t probes_begun() const;

  // Times that this host stood still so long (50 ms and more) that the backlog
  // was dropped from the schedule instead of sent as a burst, and how much
  // schedule that was; any thread.
  std::uint64_t schedule_skips() const;
  std::int64_t schedule_skipped_ns() const;

  // CLOCK_MONOTONIC nanoseconds of the last step that sent something; 0: none;
  // any thread.
  std::int64_t last_sent_ns() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::probe

// The sender's and the receiver's path as wholes, without a system call.
//
// Frames come in lots, as the capture hands them over: departure and answer of
// each probe, then one settlement. "A reply" below is both frames together.
#include <algorithm>
#include <stdexcept>

#include "micro.h"
#include "micro_traffic.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/matcher.h"
#include "volley/probe/outcome_sink.h"
#include "volley/probe/sprayer.h"
#include "volley/stats/aggregator.h"

namespace bench::micro {

using namespace volley;

namespace {

constexpr std::size_t kLot = 2048;  // probes of 2 ms at a million a second
constexpr std::size_t kLotsABatch = 32;
constexpr std::int64_t kSpacingNs = 1'000;  // between probes
constexpr std::int64_t kStartNs = 1'700'000'000'000'000'000;

// What is timed must have done its work.
void require(bool is_so, const char* otherwise) {
  if (!is_so) throw std::runtime_error(otherwise);
}

class NullOutcomes final : public probe::OutcomeSink {
 public:
  void on_outcome(const probe::Outcome& /*outcome*/) override { ++outcomes; }
  void on_amendment(const probe::Amendment& /*amendment*/) override {}
  void on_stray(std::uint32_t /*destination*/, probe::StrayKind /*kind*/) override {}
  std::uint64_t outcomes = 0;
};

// A run in virtual time: sends a batch of lots, then receives it.
class Path {
 public:
  Path(const probe::ProbePlan& plan, probe::OutcomeSink& sink)
      : table_(probe::flight_capacity(plan)), sprayer_(plan, table_, 0), matcher_(plan, table_, sink, kStartNs) {
    recording_.now_ns = kStartNs;
  }

  void send_batch() {
    recording_.clear();
    while (recording_.departures.size() < kLot * kLotsABatch) {
      const std::int64_t now_ns = recording_.now_ns;
      if (sprayer_.step(now_ns - kStartNs, now_ns, recording_) == 0) break;
    }
  }
  void receive_batch() {
    const std::size_t frames = recording_.departures.size();
    for (std::size_t at = 0; at < frames; at += kLot) {
      const std::size_t lot = std::min(kLot, frames - at);
      for (std::size_t i = 0; i < lot; ++i) matcher_.on_frame(recording_.departures[at + i]);
      for (std::size_t i = 0; i < lot; ++i) matcher_.on_frame(recording_.arrivals[at + i]);
      // The last answers are younger than the first departures of the next lot.
      matcher_.settle(recording_.departures[at + lot - 1].time_ns, 0);
    }
    recording_.now_ns += kRttNs;
    matcher_.settle(recording_.now_ns, 0);
  }

 private:
  probe::FlightTable table_;
  probe::Sprayer sprayer_;
  probe::Matcher matcher_;
  RecordingSink recording_{kSpacingNs};
};

void measure_sender(const Harness& harness, const char* name, std::uint16_t queues) {
  const probe::ProbePlan plan = sample_plan(queues);
  probe::FlightTable table(probe::flight_capacity(plan));
  probe::Sprayer sprayer(plan, table, 0);
  NullSink sink;
  std::int64_t now_ns = 0;
  constexpr std::size_t kProbes = 64 * 1024;
  harness.measure(
      name, kProbes, [&] { table.release_up_to(table.head()); },
      [&] {
        for (std::size_t sent = 0; sent < kProbes;) {
          sent += sprayer.step(now_ns, kStartNs + now_ns, sink);
          now_ns += 64 * kSpacingNs;
        }
      });
}

void measure_match(const Harness& harness, const char* name) {
  if (!harness.is_wanted(name)) return;
  const probe::ProbePlan plan = sample_plan();
  NullOutcomes outcomes;
  Path path(plan, outcomes);
  harness.measure(
      name, kLot * kLotsABatch, [&] { path.send_batch(); }, [&] { path.receive_batch(); });
  if (outcomes.outcomes < kLot * kLotsABatch) std::printf("only %lu outcomes\n", outcomes.outcomes);
}

void measure_receive(const Harness& harness, const char* name, std::uint16_t queues) {
  if (!harness.is_wanted(name)) return;
  const probe::ProbePlan plan = sample_plan(queues);
  stats::Aggregator aggregator(plan);
  Path path(plan, aggregator);
  harness.measure(
      name, kLot * kLotsABatch, [&] { path.send_batch(); }, [&] { path.receive_batch(); });
  const auto progress = aggregator.progress();
  require(progress.lost == 0 && progress.answered >= kLot * kLotsABatch, "not every probe was answered");
}

}  // namespace

void measure_paths(const Harness& harness) {
  measure_sender(harness, "sender: port, id, record, packet", 0);
  measure_sender(harness, "sender, 8 queues known", 8);
  measure_match(harness, "decode and match a reply with its departure");
  measure_receive(harness, "decode, match and aggregate a reply with its departure", 0);
  measure_receive(harness, "decode, match and aggregate, 8 queues known", 8);
}

}  // namespace bench::micro

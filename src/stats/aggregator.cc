// Hands each outcome to everything that counts it, and joins the parts into the
// run's result. Receiver thread only.
//
// Invariant: every probe but those not sent is counted once in its destination,
// in the timeline, in its port record and its remote queue, where these exist.
#include "volley/stats/aggregator.h"

#include <algorithm>

#include "volley/stats/destination_record.h"
#include "volley/stats/histogram.h"
#include "volley/stats/port_index.h"
#include "volley/stats/port_table.h"
#include "volley/stats/queue_groups.h"
#include "volley/stats/slow_replies.h"
#include "volley/stats/timeline.h"

namespace volley::stats {

namespace {

using probe::Verdict;

// Up to here each destination's RTT has the precision of totals, beyond it that
// of groups: 256 x 40 octaves x 4 kB are reserved then, and a tenth of it touched.
constexpr std::size_t kPreciseDestinations = 256;
// Octaves that queue groups take from one store: RTTs of a queue span about
// eight, and some queues may take more. At most 32 MB in all.
constexpr std::size_t kBlocksEach = 12;
constexpr std::size_t kGroupBlocks = 65'536;

unsigned destination_bits(const probe::ProbePlan& plan) {
  return plan.destinations.size() <= kPreciseDestinations ? kTotalBits : kGroupBits;
}

std::size_t group_blocks(const probe::ProbePlan& plan) {
  const std::size_t local = LocalQueues::group_count(plan.destinations.size());
  return std::min((RemoteQueues::group_count(plan) + local) * kBlocksEach, kGroupBlocks);
}

std::size_t listed(std::size_t limit, const probe::ProbePlan& plan) {
  const std::uint64_t planned = probe::planned_probes(plan);
  return planned == 0 ? limit : static_cast<std::size_t>(std::min<std::uint64_t>(limit, planned));
}

bool is_kernel_error(probe::NotSentReason reason) {
  return reason != probe::NotSentReason::none && reason != probe::NotSentReason::not_departed &&
         reason != probe::NotSentReason::table_full;
}

}  // namespace

struct Aggregator::State {
  explicit State(const probe::ProbePlan& the_plan);

  void record_sent(const probe::Outcome& outcome, PortRecord* port);
  void record_answer(const probe::Outcome& outcome, PortRecord* port);
  void fill_local(const RunFacts& facts, const std::vector<DestinationResult>& results, LocalResult& local) const;
  DestinationResult result_of(std::uint32_t index, std::uint64_t in_flight) const;

  const probe::ProbePlan& plan;
  OctaveArena destination_arena;
  OctaveArena group_arena;
  OctaveArena run_arena;
  PortIndex index;
  PortTable ports;
  RemoteQueues remote;
  LocalQueues local;
  TimelineRecorder timeline;
  SlowReplies slow;
  Histogram lag;
  Histogram run_rtt;  // of several destinations together
  std::vector<DestinationRecord> destinations;
  std::vector<std::uint64_t> local_unlisted;  // per destination
  std::array<std::uint64_t, 8> not_sent{};    // index is probe::NotSentReason
  std::vector<LostProbe> lost;                // capacity reserved at construction
  std::size_t lost_capacity;
};

Aggregator::State::State(const probe::ProbePlan& the_plan)
    : plan(the_plan),
      destination_arena(destination_bits(plan), plan.destinations.size() * kOctaves),
      group_arena(kGroupBits, group_blocks(plan)),
      run_arena(kTotalBits, 2 * kOctaves),
      index(plan.source_ports),
      ports(index, plan.destinations.size()),
      remote(plan, index, group_arena),
      local(plan.destinations.size(), group_arena),
      slow(listed(kListedSlowReplies, plan), plan.seed),
      lag(run_arena),
      run_rtt(run_arena),
      local_unlisted(plan.destinations.size()),
      lost_capacity(listed(kListedLostProbes, plan)) {
  destinations.reserve(plan.destinations.size());
  for (std::size_t i = 0; i < plan.destinations.size(); ++i) destinations.emplace_back(destination_arena);
  lost.reserve(lost_capacity);
}

Aggregator::Aggregator(const probe::ProbePlan& plan) : state_(std::make_unique<State>(plan)) {}
Aggregator::~Aggregator() = default;

void Aggregator::on_outcome(const probe::Outcome& outcome) {
  State& state = *state_;
  if (outcome.destination >= state.destinations.size()) return;
  // Asked for first: at high rates its record is far away in memory.
  PortRecord* port = state.ports.find(outcome.destination, outcome.source_port);
  state.destinations[outcome.destination].record(outcome);
  if (outcome.not_sent != probe::NotSentReason::table_full) state.lag.record(outcome.lag_ns);
  if (outcome.verdict == Verdict::not_sent) {
    ++state.not_sent[static_cast<std::size_t>(outcome.not_sent)];
  } else {
    state.record_sent(outcome, port);
  }
}

void Aggregator::State::record_sent(const probe::Outcome& outcome, PortRecord* port) {
  if (port != nullptr) ++port->sent;
  if (remote.has_records(outcome.destination)) {
    QueueGroup& queue = remote.group(outcome.destination, outcome.source_port);
    ++queue.sent;
    if (outcome.verdict == Verdict::lost) ++queue.lost;
    if (outcome.verdict == Verdict::answered) ++queue.answered;
    if (outcome.verdict == Verdict::answered && outcome.rtt_ns) queue.rtt.record(*outcome.rtt_ns);
  }
  if (outcome.verdict == Verdict::answered) {
    record_answer(outcome, port);
  } else if (outcome.verdict == Verdict::lost) {
    timeline.record_lost(outcome.sent_ns);
    if (port != nullptr) ++port->lost;
    if (port != nullptr && outcome.sign == probe::LossSign::reverse) ++port->reverse;
    if (lost.size() < lost_capacity) {
      lost.push_back({outcome.number, outcome.sent_ns, outcome.destination, outcome.source_port});
    }
  } else {
    timeline.record_sent(outcome.sent_ns);
  }
}

void Aggregator::State::record_answer(const probe::Outcome& outcome, PortRecord* port) {
  if (port != nullptr) ++port->answered;
  QueueGroup* queue = outcome.local_queue ? local.find(outcome.destination, *outcome.local_queue) : nullptr;
  if (outcome.local_queue && queue == nullptr) ++local_unlisted[outcome.destination];
  if (queue != nullptr) ++queue->answered;
  if (!outcome.rtt_ns) {
    timeline.record_answered(outcome.sent_ns);
    return;
  }
  const std::int64_t rtt_ns = *outcome.rtt_ns;
  timeline.record_answered(outcome.sent_ns, rtt_ns);
  if (destinations.size() > 1) run_rtt.record(rtt_ns);
  if (port != nullptr) ports.record_rtt(outcome.destination, *port, rtt_ns);
  if (queue != nullptr) queue->rtt.record(rtt_ns);
  if (rtt_ns > destinations[outcome.destination].slow_floor_ns()) {
    slow.record({outcome.sent_ns, rtt_ns, outcome.destination, outcome.source_port, outcome.local_queue});
  }
}

void Aggregator::on_amendment(const probe::Amendment& amendment) {
  if (amendment.destination >= state_->destinations.size()) return;
  state_->destinations[amendment.destination].amend(amendment);
  if (amendment.kind != probe::AmendmentKind::reverse) return;
  if (PortRecord* port = state_->ports.find(amendment.destination, amendment.source_port)) ++port->reverse;
}

void Aggregator::on_stray(std::uint32_t destination, probe::StrayKind kind) {
  if (destination < state_->destinations.size()) state_->destinations[destination].record(kind);
}

Progress Aggregator::progress() const {
  Progress progress;
  for (const DestinationRecord& destination : state_->destinations) {
    progress.sent += destination.sent();
    progress.answered += destination.answered();
    progress.lost += destination.lost();
    progress.not_sent += destination.not_sent();
  }
  const bool is_single = state_->destinations.size() == 1;
  const Histogram& rtt = is_single ? state_->destinations.front().rtt() : state_->run_rtt;
  progress.rtt_p50_ns = rtt.quantile_ns(kP50);
  progress.rtt_p99_ns = rtt.quantile_ns(kP99);
  return progress;
}

DestinationResult Aggregator::State::result_of(std::uint32_t i, std::uint64_t in_flight) const {
  DestinationResult result;
  const probe::Destination& destination = plan.destinations[i];
  result.target = destination.name;
  result.address = destination.address;
  result.port = destination.port;
  destinations[i].fill(in_flight, result);
  if (ports.has_records(i)) {
    ports.fill(i, plan.source_ports, result.rtt.p50_ns, result);
  } else {
    result.ports_left_out = index.size() > 0;
    result.source_ports_used = std::min<std::uint64_t>(result.sent, index.size());
  }
  result.remote_queues = remote.results(i, result.shape);
  result.remote_queues_left_out = plan.rss.has_value() && !remote.has_records(i);
  result.local_queues = local.results(i, result.shape);
  result.local_queue_unlisted = local_unlisted[i];
  return result;
}

void Aggregator::State::fill_local(const RunFacts& facts, const std::vector<DestinationResult>& results,
                                   LocalResult& out) const {
  std::uint64_t tried = 0;
  for (const DestinationResult& result : results) tried += result.sent;
  for (std::size_t i = 0; i < not_sent.size(); ++i) {
    const auto reason = static_cast<probe::NotSentReason>(i);
    if (reason != probe::NotSentReason::table_full) tried += not_sent[i];
    if (is_kernel_error(reason)) out.send_errors += not_sent[i];
  }
  out.not_sent = not_sent;
  out.rate_asked_pps = plan.rate_pps;
  if (tried > 1 && facts.sending_ns > 0) {
    out.rate_achieved_pps = static_cast<double>(tried - 1) * 1e9 / static_cast<double>(facts.sending_ns);
  }
  out.sender_lag = {.p50_ns = lag.quantile_ns(kP50), .p99_ns = lag.quantile_ns(kP99), .max_ns = lag.max_ns()};
  out.capture_drops = facts.capture_drops;
  out.interface_drops = facts.interface_drops;
  out.receive = facts.receive;
  out.skipped_ports = plan.skipped_ports;
}

RunResult Aggregator::result(const RunFacts& facts) const {
  RunResult result;
  result.interrupted = facts.interrupted;
  result.started_ns = facts.started_ns;
  result.elapsed_ns = facts.elapsed_ns;
  result.destinations.reserve(state_->destinations.size());
  for (std::size_t i = 0; i < state_->destinations.size(); ++i) {
    const std::uint64_t in_flight = i < facts.in_flight.size() ? facts.in_flight[i] : 0;
    result.destinations.push_back(state_->result_of(static_cast<std::uint32_t>(i), in_flight));
  }
  state_->fill_local(facts, result.destinations, result.local);
  result.timeline = state_->timeline.timeline();
  result.slow_replies = state_->slow.by_time_of_sending();
  result.slow_replies_seen = state_->slow.seen();
  result.lost_probes = state_->lost;
  std::sort(result.lost_probes.begin(), result.lost_probes.end(),
            [](const LostProbe& a, const LostProbe& b) { return a.number < b.number; });
  return result;
}

std::size_t Aggregator::memory_bytes() const {
  const State& state = *state_;
  return sizeof(State) + state.destination_arena.memory_bytes() + state.group_arena.memory_bytes() +
         state.run_arena.memory_bytes() + state.index.memory_bytes() + state.ports.memory_bytes() +
         state.remote.memory_bytes() + state.local.memory_bytes() + state.timeline.memory_bytes() +
         state.slow.memory_bytes() + state.lost_capacity * sizeof(LostProbe) +
         state.destinations.size() * (sizeof(DestinationRecord) + sizeof(std::uint64_t));
}

}  // namespace volley::stats

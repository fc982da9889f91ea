// The driver of simulated runs. One thread.
#include "simulated_run.h"

#include <algorithm>
#include <set>

#include "volley/probe/flight_table.h"
#include "volley/probe/matcher.h"
#include "volley/probe/sprayer.h"

namespace volley::sim {

using probe::Verdict;

void OutcomeLog::on_outcome(const probe::Outcome& outcome) {
  outcomes.push_back(outcome);
}

std::uint64_t OutcomeLog::count(Verdict verdict) const {
  return static_cast<std::uint64_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [&](const probe::Outcome& o) { return o.verdict == verdict; }));
}

std::uint64_t OutcomeLog::count(probe::AmendmentKind kind) const {
  return static_cast<std::uint64_t>(
      std::count_if(amendments.begin(), amendments.end(), [&](const probe::Amendment& a) { return a.kind == kind; }));
}

std::uint64_t OutcomeLog::count(probe::StrayKind kind) const {
  std::uint64_t sum = 0;
  for (const auto& [key, value] : strays) sum += key.second == kind ? value : 0;
  return sum;
}

std::uint64_t OutcomeLog::sent() const {
  return outcomes.size() - count(Verdict::not_sent);
}

std::uint64_t OutcomeLog::reverse() const {
  return count(probe::AmendmentKind::reverse) +
         static_cast<std::uint64_t>(std::count_if(outcomes.begin(), outcomes.end(), [](const probe::Outcome& o) {
           return o.sign == probe::LossSign::reverse;
         }));
}

std::uint64_t OutcomeLog::reordered() const {
  return static_cast<std::uint64_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const probe::Outcome& o) { return o.reordered; }));
}

std::uint64_t OutcomeLog::contradictions() const {
  std::set<std::uint64_t> seen;
  std::set<std::uint64_t> lost;
  std::uint64_t wrong = 0;
  for (const probe::Outcome& outcome : outcomes) {
    if (outcome.not_sent == probe::NotSentReason::table_full) continue;
    wrong += seen.insert(outcome.number).second ? 0U : 1U;
    if (outcome.verdict == Verdict::lost) lost.insert(outcome.number);
    wrong += outcome.rtt_ns && (*outcome.rtt_ns < 0 || outcome.verdict != Verdict::answered) ? 1U : 0U;
  }
  for (const probe::Amendment& amendment : amendments) {
    wrong += lost.contains(amendment.number) ? 0U : 1U;
  }
  return wrong;
}

std::vector<std::int64_t> OutcomeLog::rtts() const {
  std::vector<std::int64_t> all;
  for (const probe::Outcome& outcome : outcomes) {
    if (outcome.rtt_ns) all.push_back(*outcome.rtt_ns);
  }
  std::sort(all.begin(), all.end());
  return all;
}

namespace {

struct Run {
  Run(const probe::ProbePlan& the_plan, SimulatedNetwork& the_network, probe::OutcomeSink& sink,
      const RunOptions& the_options)
      : plan(the_plan),
        network(the_network),
        options(the_options),
        table(probe::flight_capacity(the_plan)),
        sprayer(the_plan, table, 0),
        matcher(the_plan, table, sink, the_network.wall_ns()) {}

  bool is_stalled(std::int64_t now) const { return now >= options.stall_from_ns && now < options.stall_to_ns; }

  // Sends everything that is due by then, each at its time.
  void send_until(std::int64_t now) {
    if (is_interrupted(now)) return;
    while (const auto due = sprayer.next_due_ns()) {
      if (*due > now) break;
      network.advance(*due);
      sprayer.step(network.now_ns(), network.wall_ns(), network);
    }
  }

  void receive() {
    const std::int64_t before = network.wall_ns();
    network.poll(std::chrono::nanoseconds(0), matcher);
    if (options.clock_step_at_ns != 0 && !has_stepped && network.now_ns() >= options.clock_step_at_ns) {
      has_stepped = true;
      network.step_wall(options.clock_step_ns);
      matcher.note_clock_step(before, network.wall_ns(), options.clock_step_ns);
    }
    matcher.settle(before, network.counters().dropped);
  }

  bool is_interrupted(std::int64_t now) const { return options.interrupt_at_ns != 0 && now >= options.interrupt_at_ns; }

  bool is_over() const {
    if (is_interrupted(network.now_ns())) return true;
    if (sprayer.next_due_ns()) return false;
    const std::int64_t since = network.now_ns() - sprayer.last_sent_ns();
    return !matcher.is_waiting(network.wall_ns()) &&
           (!matcher.has_undirected_losses() || since > options.resend_wait_ns);
  }

  const probe::ProbePlan& plan;
  SimulatedNetwork& network;
  const RunOptions& options;
  probe::FlightTable table;
  probe::Sprayer sprayer;
  probe::Matcher matcher;
  bool has_stepped = false;
};

}  // namespace

RunReport run(const probe::ProbePlan& plan, SimulatedNetwork& network, probe::OutcomeSink& sink,
              const RunOptions& options) {
  Run run(plan, network, sink, options);
  do {
    const std::int64_t now = network.now_ns() + options.settle_every_ns;
    if (options.on_tick) options.on_tick(now);
    if (!run.is_stalled(now)) run.send_until(now);
    network.advance(now);
    if (!run.is_stalled(now)) run.receive();
  } while (!run.is_over());
  run.matcher.finish(network.wall_ns(), network.counters().dropped);
  return {run.matcher.counters(), run.sprayer.probes_begun(), run.sprayer.schedule_skips(), network.now_ns()};
}

}  // namespace volley::sim

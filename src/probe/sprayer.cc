// Sends the probes of a run. Sender thread only.
#include "volley/probe/sprayer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "volley/probe/frame.h"
#include "volley/probe/generator.h"
#include "volley/probe/pacer.h"
#include "volley/probe/port_order.h"
#include "volley/probe/probe_id.h"
#include "volley/probe/protocol.h"

namespace volley::probe {

namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::uint64_t kProbesPerEchoId = 65536;

std::uint32_t saturated(std::int64_t lag_ns) {
  return static_cast<std::uint32_t>(std::min<std::int64_t>(lag_ns, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

struct Sprayer::State {
  State(const ProbePlan& the_plan, FlightTable& the_table, std::int64_t start_ns)
      : plan(the_plan),
        table(the_table),
        row(protocol_row(the_plan.protocol)),
        ids(the_plan),
        generator(the_plan.seed),
        frames(the_plan, Pacer::kMaxBatch),
        pacer(the_plan, start_ns) {
    table.prepare_skips(plan.destinations.size());
    if (plan.protocol != Protocol::icmp) {
      orders.reserve(plan.destinations.size());
      for (const Destination& to : plan.destinations) {
        orders.emplace_back(plan, to, generator);
      }
    }
  }

  // Probe n goes to destination n mod D: each gets the same number, to one.
  ProbeFields next_fields(std::uint64_t number, std::uint32_t destination, std::int64_t monotonic_ns) {
    ProbeFields fields;
    fields.token = ids.token(number);
    if (plan.protocol == Protocol::icmp) {
      const std::uint64_t echo = number / plan.destinations.size();
      fields.echo_identifier = static_cast<std::uint16_t>(ids.first_echo_id() + echo / kProbesPerEchoId);
      fields.echo_sequence = static_cast<std::uint16_t>(echo);
    } else {
      fields.source_port = orders[destination].next(generator);
      fields.timestamp = ids.timestamp_offset() + static_cast<std::uint32_t>(monotonic_ns / kNsPerMs);
    }
    return fields;
  }

  const ProbePlan& plan;
  FlightTable& table;
  const ProtocolRow& row;
  const ProbeIds ids;
  Generator generator;
  std::vector<PortOrder> orders;
  ProbeFrames frames;
  Pacer pacer;
  std::array<OutgoingPacket, Pacer::kMaxBatch> packets{};
  std::array<std::uint64_t, Pacer::kMaxBatch> numbers{};  // of the packets, in the table
  std::atomic<std::uint64_t> begun{0};
  std::atomic<std::int64_t> last_sent_ns{0};
};

Sprayer::Sprayer(const ProbePlan& plan, FlightTable& table, std::int64_t start_monotonic_ns)
    : state_(std::make_unique<State>(plan, table, start_monotonic_ns)) {}
Sprayer::~Sprayer() = default;

std::optional<std::int64_t> Sprayer::next_due_ns() const {
  return state_->pacer.next_due_ns();
}

std::size_t Sprayer::step(std::int64_t monotonic_ns, std::int64_t wall_ns, FrameSink& sink) {
  State& s = *state_;
  const std::uint32_t granted = s.pacer.take(monotonic_ns);
  const std::uint64_t begun = s.begun.load(std::memory_order_relaxed);
  std::uint32_t taken = 0;
  std::uint32_t used = 0;
  for (; taken < granted; ++taken) {
    const bool has_room = s.table.has_room();
    if (!has_room && s.plan.rate_pps == 0.0) {
      break;  // without a schedule there is nothing to miss: it waits
    }
    const std::uint64_t number = begun + taken;
    const auto destination = static_cast<std::uint32_t>(number % s.plan.destinations.size());
    const std::uint32_t lag_ns = saturated(s.pacer.next_lag_ns(monotonic_ns));
    const ProbeFields fields = s.next_fields(number, destination, monotonic_ns);
    if (!has_room) {
      s.table.skip(destination);
      continue;
    }
    OutgoingPacket& packet = s.packets[used];
    packet = {s.frames.prepare(used, destination, fields), destination, NotSentReason::none, 0};
    s.numbers[used] =
        s.table.publish(s.row.key(destination, fields), fields.token, fields.source_port, wall_ns, lag_ns);
    ++used;
  }
  s.begun.store(begun + taken, std::memory_order_relaxed);
  if (used == 0) {
    return 0;
  }
  sink.send(std::span(s.packets).first(used));
  for (std::uint32_t i = 0; i < used; ++i) {
    if (s.packets[i].error != NotSentReason::none) {
      s.table.mark_not_sent(s.numbers[i], s.packets[i].error);
    }
  }
  s.last_sent_ns.store(monotonic_ns, std::memory_order_relaxed);
  return used;
}

std::uint64_t Sprayer::probes_begun() const {
  return state_->begun.load(std::memory_order_relaxed);
}
std::uint64_t Sprayer::schedule_skips() const {
  return state_->pacer.skips();
}
std::int64_t Sprayer::schedule_skipped_ns() const {
  return state_->pacer.skipped_ns();
}
std::int64_t Sprayer::last_sent_ns() const {
  return state_->last_sent_ns.load(std::memory_order_relaxed);
}

}  // namespace volley::probe

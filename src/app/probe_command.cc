// A run of `volley probe` (see the header).
#include "volley/app/probe_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "volley/app/capture_tap.h"
#include "volley/app/exit_status.h"
#include "volley/app/output.h"
#include "volley/app/progress_line.h"
#include "volley/app/reply_log.h"
#include "volley/app/run_setup.h"
#include "volley/app/session.h"
#include "volley/app/silent_neighbour.h"
#include "volley/diagnosis/diagnose.h"
#include "volley/net/capture.h"
#include "volley/net/capture_file.h"
#include "volley/net/error.h"
#include "volley/net/held_ports.h"
#include "volley/net/interfaces.h"
#include "volley/net/privileges.h"
#include "volley/net/raw_sender.h"
#include "volley/net/signals.h"
#include "volley/probe/protocol.h"
#include "volley/report/document.h"
#include "volley/report/notes.h"
#include "volley/report/reply_line.h"

namespace volley::app {
namespace {

using std::chrono::milliseconds;

// The main thread looks at signals, progress and replies this often.
constexpr std::chrono::nanoseconds kTurn = milliseconds(50);
// At rate max a full send buffer is waited for, at most this long a batch.
constexpr std::chrono::nanoseconds kMaxRateBufferWait = milliseconds(20);

std::vector<std::uint32_t> interfaces_of(const probe::ProbePlan& plan) {
  std::vector<std::uint32_t> indices;
  for (const auto& destination : plan.destinations) indices.push_back(destination.interface_index);
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
  return indices;
}

net::InterfaceCounters counters_of(const std::vector<std::uint32_t>& interfaces) {
  net::InterfaceCounters sum;
  for (const std::uint32_t index : interfaces) {
    try {
      const net::InterfaceCounters one = net::read_counters(index);
      sum.rx_dropped += one.rx_dropped;
      sum.rx_missed_errors += one.rx_missed_errors;
      sum.rx_fifo_errors += one.rx_fifo_errors;
      sum.rx_over_errors += one.rx_over_errors;
    } catch (const net::SetupError&) {
      // The interface is gone: the capture says so itself.
    }
  }
  return sum;
}

// All that holds sockets; made with privileges, used without.
struct Equipment {
  explicit Equipment(const ProbeOptions& options, const probe::ProbePlan& plan);

  std::optional<net::UdpPortHolder> udp_ports;
  std::optional<net::RawSender> sender;
  std::optional<net::LibpcapSource> source;
  std::optional<net::PcapFileWriter> writer;
  std::optional<CaptureTap> tap;
};

Equipment::Equipment(const ProbeOptions& options, const probe::ProbePlan& plan) {
  if (!net::acquire_net_raw()) throw CommandError(exit_status::kCouldNotMeasure, {net::net_raw_missing()});
  if (plan.protocol == probe::Protocol::udp) udp_ports.emplace(plan.destinations, plan.source_ports);
  sender.emplace(
      net::RawSenderOptions{.destinations = plan.destinations,
                            .bind_interface = options.interface_name.value_or(""),
                            .mark = options.mark,
                            .traffic_class = static_cast<std::uint8_t>(plan.dscp << 2U),
                            .buffer_wait = plan.rate_pps > 0 ? std::chrono::nanoseconds(0) : kMaxRateBufferWait});
  probe::CaptureFilters filters = probe::protocol_row(plan.protocol).filters(plan);
  source.emplace(net::CaptureOptions{.interfaces = interfaces_of(plan),
                                     .departures_filter = std::move(filters.departures),
                                     .arrivals_filter = std::move(filters.arrivals),
                                     .rate_pps = plan.rate_pps});
  if (options.write_file) {
    writer.emplace(*options.write_file);
    tap.emplace(*writer);
  }
  net::drop_privileges();
}

// What the run itself adds to the notes that follow from plan and result.
std::vector<std::string> run_notes(const RunSetup& setup, Equipment& equipment, const ReplyLog& replies) {
  std::vector<std::string> notes = setup.notes;
  const auto& capture_notes = equipment.source->notes();
  notes.insert(notes.end(), capture_notes.begin(), capture_notes.end());
  if (!equipment.source->failure().empty()) notes.push_back(equipment.source->failure());
  if (equipment.udp_ports && equipment.udp_ports->not_held_count() > 0) {
    notes.push_back(fmt::format(
        "{} source ports have no socket (too few open files allowed): this host answers replies to them with port "
        "unreachable",
        equipment.udp_ports->not_held_count()));
  }
  if (replies.left_out() > 0) {
    notes.push_back(
        fmt::format("{} replies have no line above: the output was slower than they came", replies.left_out()));
  }
  return notes;
}

// Prints what the run tells while it goes on.
class Watch {
 public:
  Watch(const ProbeOptions& options, const RunSetup& setup, const Output& output, ReplyLog& replies)
      : setup_(setup), output_(output), replies_(replies), progress_(options.output) {}

  // Until the run is over.
  void run(Session& session, net::SignalWatch& signals) {
    while (!session.is_done()) {
      if (const auto event = signals.next(kTurn)) on_signal(*event, session);
      // Nobody reads any more: the run ends quietly.
      if (!print_replies()) session.interrupt();
      progress_.update(session.progress(), session.elapsed_ns(), probe::planned_probes(setup_.plan));
    }
    progress_.clear();
    print_replies();
  }

 private:
  void on_signal(net::SignalEvent event, Session& session) {
    if (event != net::SignalEvent::summary) {
      session.interrupt();
      return;
    }
    const auto result = session.snapshot();
    if (!result) return;
    progress_.clear();
    const std::vector<diagnosis::Finding> no_findings;
    const std::vector<std::string> notes = report::standard_notes(setup_.plan, *result);
    output_.write_text(
        {.plan = setup_.plan, .result = *result, .findings = no_findings, .version = VOLLEY_VERSION, .notes = notes});
  }

  bool print_replies() {
    std::string lines;
    while (const auto outcome = replies_.pop()) {
      lines += report::to_text(report::reply_line_of(setup_.plan, *outcome));
      lines += '\n';
    }
    if (lines.empty()) return true;
    progress_.clear();
    return Output::write_stdout(lines);
  }

  const RunSetup& setup_;
  const Output& output_;
  ReplyLog& replies_;
  ProgressLine progress_;
};

int exit_status_of(const stats::RunResult& result) {
  const auto& destinations = result.destinations;
  const bool nothing_known = std::all_of(destinations.begin(), destinations.end(), [](const auto& destination) {
    return destination.answered + destination.lost + destination.stale_half_open == 0;
  });
  if (nothing_known) return exit_status::kCouldNotMeasure;
  const bool one_is_silent = std::any_of(destinations.begin(), destinations.end(), [](const auto& destination) {
    return destination.answered + destination.stale_half_open == 0;
  });
  return one_is_silent ? exit_status::kNoAnswer : exit_status::kAnswered;
}

}  // namespace

int run_probe_command(const ProbeOptions& options, std::istream& in) {
  Output output(options.output);
  const RunSetup setup = set_up_run(options, in);
  const std::vector<std::uint32_t> interfaces = interfaces_of(setup.plan);
  net::SignalWatch signals;
  Equipment equipment(options, setup.plan);
  const auto replies = std::make_unique<ReplyLog>();
  const net::InterfaceCounters before = counters_of(interfaces);

  Session session({.plan = setup.plan,
                   .sink = *equipment.sender,
                   .source = *equipment.source,
                   .tap = equipment.tap ? &*equipment.tap : nullptr,
                   .reply_log = options.output.verbose ? replies.get() : nullptr,
                   .waiting = options.spin ? Waiting::spin : Waiting::sleep,
                   .missing_resets = options.request.allow_public_rate ? MissingResets::go_on : MissingResets::stop});
  Watch(options, setup, output, *replies).run(session, signals);
  stats::RunResult result = session.finish();
  result.local.interface_drops = net::difference(counters_of(interfaces), before).rx_lost();

  std::vector<std::string> notes = run_notes(setup, equipment, *replies);
  for (std::string& note : count_silent_neighbours(setup.plan, result)) notes.push_back(std::move(note));
  for (std::string& note : session.notes()) notes.push_back(std::move(note));
  for (std::string& note : report::standard_notes(setup.plan, result)) notes.push_back(std::move(note));
  const std::vector<diagnosis::Finding> findings = diagnosis::diagnose(setup.plan, result);
  output.write({.plan = setup.plan,
                .result = result,
                .findings = findings,
                .version = VOLLEY_VERSION,
                .notes = notes,
                .link = equipment.source->link_name()});
  if (equipment.writer) {
    if (const auto error = equipment.writer->close()) throw CommandError(exit_status::kCouldNotMeasure, {*error});
  }
  return exit_status_of(result);
}

}  // namespace volley::app

// A run of `volley read` (see the header).
#include "volley/app/read_command.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "volley/app/exit_status.h"
#include "volley/app/output.h"
#include "volley/app/quantity.h"
#include "volley/app/run_setup.h"
#include "volley/app/target_text.h"
#include "volley/diagnosis/diagnose.h"
#include "volley/net/capture_file.h"
#include "volley/probe/replay.h"
#include "volley/probe/survey.h"
#include "volley/report/document.h"
#include "volley/report/notes.h"
#include "volley/stats/aggregator.h"

namespace volley::app {
namespace {

void play(net::PcapFileSource& file, probe::FrameHandler& handler) {
  while (file.poll(std::chrono::nanoseconds(0), handler) > 0) {
  }
}

// --target: an address, with or without one port.
void restrict_target(const std::string& text, probe::ReplayOptions& replay) {
  const TargetText target = parse_target(text);
  replay.target = wire::parse_address(target.host);
  if (!replay.target || target.ports.size() > 1) {
    throw BadQuantity("'" + text + "' is not an address, alone or with one port");
  }
  if (!target.ports.empty()) replay.port = target.ports.front();
}

probe::ReplayOptions replay_options(const ReadOptions& options, std::istream& in) {
  probe::ReplayOptions replay;
  replay.protocol = options.protocol;
  replay.timeout = options.timeout;
  try {
    if (options.target) restrict_target(*options.target, replay);
  } catch (const BadQuantity& error) {
    throw CommandError(exit_status::kUsage, {fmt::format("--target: {}", error.what())});
  }
  if (options.file == "-" && options.rss.source == "-") {
    throw CommandError(exit_status::kUsage,
                       {"the capture and --rss - both want standard input: name a file for one of them"});
  }
  if (auto known = read_rss(options.rss, in)) {
    replay.rss = std::move(known->config);
    replay.rss_source = std::move(known->source);
  }
  return replay;
}

int exit_status_of(const stats::RunResult& result) {
  for (const auto& destination : result.destinations) {
    if (destination.answered + destination.stale_half_open == 0) return exit_status::kNoAnswer;
  }
  return exit_status::kAnswered;
}

}  // namespace

int run_read_command(const ReadOptions& options, std::istream& in) {
  Output output(options.output);
  const probe::ReplayOptions restrictions = replay_options(options, in);
  net::PcapFileSource file(options.file);
  probe::Survey survey;
  play(file, survey);
  std::vector<std::string> notes;
  if (!file.failure().empty()) notes.push_back(file.failure());
  auto made = probe::make_replay_plan(survey, restrictions);
  if (auto* errors = std::get_if<probe::PlanErrors>(&made)) {
    for (std::string& line : *errors) line = fmt::format("read {}: {}", options.file, line);
    throw CommandError(exit_status::kCouldNotMeasure, std::move(*errors));
  }
  const probe::ProbePlan& plan = std::get<probe::ProbePlan>(made);

  file.rewind();
  stats::Aggregator aggregator(plan);
  probe::Replay replay(plan, aggregator, survey.first_frame_ns());
  play(file, replay);
  // Of a file that was cut off nothing is known after its last frame.
  replay.finish(file.failure().empty() ? probe::CaptureEnd::after_timeouts : probe::CaptureEnd::at_last_frame);
  stats::RunFacts facts;
  facts.started_ns = survey.first_frame_ns();
  facts.elapsed_ns = replay.last_frame_ns() - survey.first_frame_ns();
  facts.sending_ns = replay.sending_ns();
  facts.receive = replay.counters();
  const stats::RunResult result = aggregator.result(facts);
  for (std::string& note : report::standard_notes(plan, result)) notes.push_back(std::move(note));
  const std::vector<diagnosis::Finding> findings = diagnosis::diagnose(plan, result);
  output.write({.plan = plan, .result = result, .findings = findings, .version = VOLLEY_VERSION, .notes = notes});
  return exit_status_of(result);
}

}  // namespace volley::app

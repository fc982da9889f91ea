// A run of `volley read` (see the header).
#include "volley/app/read_command.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "volley/app/exit_status.h"
#include "volley/app/output.h"
#include "volley/app/run_setup.h"
#include "volley/diagnosis/diagnose.h"
#include "volley/net/capture_file.h"
#include "volley/probe/capture_survey.h"
#include "volley/probe/replay.h"
#include "volley/report/document.h"
#include "volley/report/notes.h"
#include "volley/stats/aggregator.h"

namespace volley::app {
namespace {

void play(net::PcapFileSource& file, probe::FrameHandler& handler) {
  while (file.poll(std::chrono::nanoseconds(0), handler) > 0) {
  }
}

probe::ReplayRequest replay_request(const ReadOptions& options, std::istream& in) {
  probe::ReplayRequest request;
  request.protocol = options.protocol;
  request.timeout = options.timeout;
  if (options.target) {
    request.target = wire::parse_address(*options.target);
    if (!request.target) {
      throw CommandError(exit_status::kUsage,
                         {fmt::format("--target {}: not an IPv4 or IPv6 address", *options.target)});
    }
  }
  if (options.file == "-" && options.rss.source == "-") {
    throw CommandError(exit_status::kUsage,
                       {"the capture and --rss - both want standard input: name a file for one of them"});
  }
  if (auto known = read_rss(options.rss, in)) {
    request.rss = std::move(known->config);
    request.rss_source = std::move(known->source);
  }
  return request;
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
  const probe::ReplayRequest request = replay_request(options, in);
  net::PcapFileSource file(options.file);
  probe::CaptureSurvey survey;
  play(file, survey);
  std::vector<std::string> notes;
  if (!file.failure().empty()) notes.push_back(file.failure());
  auto made = survey.plan(request);
  if (const auto* reason = std::get_if<std::string>(&made)) {
    throw CommandError(exit_status::kCouldNotMeasure, {fmt::format("read {}: {}", options.file, *reason)});
  }
  const probe::ProbePlan& plan = std::get<probe::ProbePlan>(made);

  file.rewind();
  stats::Aggregator aggregator(plan);
  probe::Replay replay(plan, aggregator, survey.first_ns());
  play(file, replay);
  replay.finish();
  stats::RunFacts facts;
  facts.started_ns = survey.first_ns();
  facts.elapsed_ns = survey.last_ns() - survey.first_ns();
  facts.sending_ns = replay.last_sent_ns() - replay.first_sent_ns();
  facts.receive = replay.counters();
  const stats::RunResult result = aggregator.result(facts);
  for (std::string& note : report::standard_notes(plan, result)) notes.push_back(std::move(note));
  const std::vector<diagnosis::Finding> findings = diagnosis::diagnose(plan, result);
  output.write({.plan = plan, .result = result, .findings = findings, .version = VOLLEY_VERSION, .notes = notes});
  return exit_status_of(result);
}

}  // namespace volley::app

// Shows and clears the progress line (see the header).
#include "volley/app/progress_line.h"

#include <cstdio>

#include "volley/net/terminal.h"
#include "volley/report/progress.h"

namespace volley::app {
namespace {

// Runs shorter than this end before a line is of use.
constexpr std::int64_t kFirstNs = 2'000'000'000;
constexpr std::int64_t kTerminalStepNs = 500'000'000;
// In a log file a line now and then is enough.
constexpr std::int64_t kLogStepNs = 10'000'000'000;

}  // namespace

ProgressLine::ProgressLine(const OutputOptions& options) {
  const net::Terminal terminal = net::read_terminal();
  is_terminal_ = terminal.is_stderr_terminal && !terminal.is_dumb;
  columns_ = terminal.columns;
  step_ns_ = is_terminal_ ? kTerminalStepNs : kLogStepNs;
  next_ns_ = is_terminal_ ? kFirstNs : kLogStepNs;
  switch (options.progress) {
    case When::always:
      is_wanted_ = true;
      break;
    case When::never:
      is_wanted_ = false;
      break;
    // Replies printed one a line show progress enough.
    case When::automatic:
      is_wanted_ = is_terminal_ && !options.quiet && !options.verbose;
      break;
  }
}

void ProgressLine::update(const stats::Progress& progress, std::int64_t elapsed_ns, std::uint64_t planned_probes) {
  if (!is_wanted_ || elapsed_ns < next_ns_) return;
  next_ns_ = elapsed_ns + step_ns_;
  std::string line = report::progress_line(progress, elapsed_ns, planned_probes);
  if (is_terminal_) {
    if (line.size() >= columns_) line.resize(columns_ - 1);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    is_shown_ = true;
  } else {
    std::fprintf(stderr, "volley: %s\n", line.c_str());
  }
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!is_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace volley::app

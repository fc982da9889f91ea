// The progress line on standard error: shown on long runs, rewritten in place
// on a terminal, cleared at the end.
//
// Main thread.
#pragma once

#include <cstdint>
#include <string>

#include "volley/app/options.h"
#include "volley/stats/aggregator.h"

namespace volley::app {

class ProgressLine {
 public:
  explicit ProgressLine(const OutputOptions& options);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Shows a new line if one is due at `elapsed_ns` of the run.
  void update(const stats::Progress& progress, std::int64_t elapsed_ns, std::uint64_t planned_probes);
  // Takes the line away, before anything else is printed.
  void clear();

 private:
  bool is_wanted_ = false;
  bool is_terminal_ = false;
  bool is_shown_ = false;
  std::int64_t next_ns_ = 0;
  std::int64_t step_ns_ = 0;
  std::size_t columns_ = 80;
};

}  // namespace volley::app

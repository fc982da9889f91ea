// What every report format is given: one finished run, ready to print.
//
// Plain references; the document must not outlive what it points to. The
// writers are pure functions of it, so text, JSON and CSV print the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::report {

struct Document {
  const probe::ProbePlan& plan;
  const stats::RunResult& result;
  const std::vector<diagnosis::Finding>& findings;
  std::string_view version;  // of volley
  // Notes of the run that belong into its first lines: shortfall of the rate,
  // capture drops, clock steps, skipped ports; a sentence each.
  const std::vector<std::string>& notes;
};

enum class Charset : std::uint8_t { ascii, utf8 };

struct TextOptions {
  bool colour = false;
  Charset charset = Charset::ascii;
  std::size_t width = 100;  // columns
  bool per_port = false;    // every source port, not only the worst
  bool quiet = false;       // -q: totals and findings alone
};

std::string to_text(const Document& document, const TextOptions& options);

struct JsonOptions {
  bool per_port = false;
};

// One JSON object of schema volley.probe/1 (DESIGN section 7), ending in a newline.
std::string to_json(const Document& document, const JsonOptions& options);

struct CsvOptions {
  bool per_port = false;  // a row for each source port instead of each destination
};

// RFC 4180 with a header row.
std::string to_csv(const Document& document, const CsvOptions& options);

}  // namespace volley::report

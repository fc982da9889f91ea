// What every report format is given: one finished run, ready to print.
//
// Plain references; the document must not outlive what it points to. The
// writers (csv.h, json.h, text.h) are pure functions of it, so text, JSON and
// CSV print the same numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/probe/plan.h"
#include "volley/report/csv.h"
#include "volley/report/json.h"
#include "volley/report/text.h"
#include "volley/stats/run_result.h"

namespace volley::report {

struct Document {
  const probe::ProbePlan& plan;
  const stats::RunResult& result;
  const std::vector<diagnosis::Finding>& findings;
  std::string_view version;  // of volley
  // Notes of the run that belong into its first lines: shortfall of the rate,
  // clock steps, skipped ports; a sentence each. standard_notes (notes.h) makes
  // those that follow from plan and result. The plan's own warnings are printed
  // only if they are among them.
  const std::vector<std::string>& notes;
  std::string_view link = {};  // the link layer of the interface, as the JSON's source.link; empty: unknown
};

}  // namespace volley::report

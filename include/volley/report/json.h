// The report for programs: one JSON object of schema volley.probe/1.
//
// A pure function of the document; any thread. Times are integer nanoseconds,
// ratios 0 to 1, what is absent is null. Keys may be added; none changes its
// type or meaning within the schema's number.
#pragma once

#include <string>

namespace volley::report {

struct Document;

struct JsonOptions {
  bool per_port = false;
};

// One JSON object of schema volley.probe/1 (DESIGN section 7), ending in a newline.
std::string to_json(const Document& document, const JsonOptions& options);

}  // namespace volley::report

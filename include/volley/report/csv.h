// The report for spreadsheets: RFC 4180 with a header row.
//
// A pure function of the document; any thread. Times are integer nanoseconds,
// ratios 0 to 1, what is absent is an empty field; every row has every field.
#pragma once

#include <string>

namespace volley::report {

struct Document;

struct CsvOptions {
  bool per_port = false;  // a row for each source port instead of each destination
};

// RFC 4180 with a header row.
std::string to_csv(const Document& document, const CsvOptions& options);

}  // namespace volley::report

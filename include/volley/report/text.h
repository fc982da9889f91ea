// The report for people: one page of 80 to 100 columns that fits into a ticket.
//
// A pure function of the document; any thread. Colour and UTF-8 only decorate:
// without them every statement is still there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace volley::report {

struct Document;

enum class Charset : std::uint8_t { ascii, utf8 };

struct TextOptions {
  bool colour = false;
  Charset charset = Charset::ascii;
  std::size_t width = 100;  // columns
  bool per_port = false;    // every source port, not only the worst
  bool quiet = false;       // -q: totals and findings alone
};

std::string to_text(const Document& document, const TextOptions& options);

}  // namespace volley::report

// What every section of the text report is given.
//
// Plain references, as long-lived as the document; any thread.
#pragma once

#include <cstdint>
#include <string>

#include "volley/report/document.h"
#include "volley/report/number.h"

namespace volley::report {

struct TextContext {
  const Document& document;
  const TextOptions& options;
  RttScale scale;  // of all RTTs on the page
};

// The fewest replies that a quantile is printed for: one of them lies beyond it.
inline constexpr std::uint64_t kLeastForP90 = 10;
inline constexpr std::uint64_t kLeastForP99 = 100;
inline constexpr std::uint64_t kLeastForP999 = 1000;

// The quantile, or "-" if `count` is below `least`.
inline std::string quantile_text(const RttScale& scale, std::uint64_t count, std::uint64_t least, std::int64_t rtt_ns) {
  return count == 0 || count < least ? "-" : scale.format(rtt_ns);
}

}  // namespace volley::report

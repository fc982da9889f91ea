// The progress line of a long run; see the header.
#include "volley/report/progress.h"

#include <fmt/format.h>

#include <string>

#include "volley/report/number.h"

namespace volley::report {

std::string progress_line(const stats::Progress& progress, std::int64_t elapsed_ns, std::uint64_t planned) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::string text = duration_text(elapsed_ns / kSecond * kSecond);
  text +=
      planned > 0 ? fmt::format("  {} of {} sent", progress.sent, planned) : fmt::format("  {} sent", progress.sent);
  const std::uint64_t settled = progress.answered + progress.lost;
  text += fmt::format("  {} lost", progress.lost);
  if (settled > 0 && progress.lost > 0) {
    text += fmt::format(" ({})", percent(static_cast<double>(progress.lost) / static_cast<double>(settled)));
  }
  if (progress.not_sent > 0) {
    text += fmt::format("  {} not sent", progress.not_sent);
  }
  if (progress.rtt_p50_ns > 0) {
    stats::DestinationResult all;
    all.rtt.count = progress.answered;
    all.rtt.p50_ns = progress.rtt_p50_ns;
    all.rtt.p99_ns = progress.rtt_p99_ns;
    const RttScale scale = scale_for({&all, 1});
    text += fmt::format("  p50 {}  p99 {} {}", scale.format(progress.rtt_p50_ns), scale.format(progress.rtt_p99_ns),
                        scale.unit());
  }
  return text;
}

}  // namespace volley::report

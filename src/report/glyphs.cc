// Bars and sparklines; see the header.
#include "volley/report/glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace volley::report {
namespace {

constexpr std::array<std::string_view, 9> kUtf8Levels{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> kAsciiLevels{" ", ".", ":", "-", "=", "+", "*", "#", "@"};

const std::array<std::string_view, 9>& levels(Charset charset) {
  return charset == Charset::utf8 ? kUtf8Levels : kAsciiLevels;
}

// Where a bin's lower edge lies, in bins of the new axis.
class LogAxis {
 public:
  LogAxis(std::int64_t low_ns, std::int64_t high_ns, std::size_t bins)
      : origin_(std::log(static_cast<double>(low_ns))),
        bins_per_unit_(static_cast<double>(bins) / (std::log(static_cast<double>(high_ns)) - origin_)) {}
  double position(double log_ns) const { return (log_ns - origin_) * bins_per_unit_; }

 private:
  double origin_;
  double bins_per_unit_;
};

std::size_t clamp_to_bin(double position, std::size_t bins) {
  if (!(position > 0.0)) {
    return 0;
  }
  return std::min(static_cast<std::size_t>(position), bins - 1);
}

}  // namespace

std::string bar(double value, double largest, std::size_t width, Charset charset) {
  if (!(value > 0.0) || !(largest > 0.0)) {
    return {};
  }
  const double share = std::min(1.0, value / largest);
  const auto cells =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(share * static_cast<double>(width))));
  std::string text;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    text += charset == Charset::utf8 ? "▇" : "#";
  }
  return text;
}

std::string sparkline(std::span<const std::uint64_t> counts, Charset charset) {
  if (counts.empty()) {
    return {};
  }
  const auto& glyphs = levels(charset);
  const std::uint64_t largest = *std::max_element(counts.begin(), counts.end());
  std::string text;
  for (const std::uint64_t count : counts) {
    const double height = count == 0 ? 0.0 : 8.0 * static_cast<double>(count) / static_cast<double>(largest);
    text += glyphs[std::min<std::size_t>(8, static_cast<std::size_t>(std::ceil(height)))];
  }
  return text;
}

std::vector<std::uint64_t> rebinned(const stats::RttShape& shape, std::int64_t low_ns, std::int64_t high_ns,
                                    std::size_t bins) {
  std::vector<std::uint64_t> result(bins, 0);
  if (shape.counts.empty() || bins == 0) {
    return result;
  }
  const LogAxis axis(low_ns, high_ns, bins);
  const double shape_low = std::log(static_cast<double>(std::max<std::int64_t>(1, shape.low_ns)));
  const double shape_high = std::log(static_cast<double>(std::max<std::int64_t>(1, shape.high_ns)));
  const double step = (shape_high - shape_low) / static_cast<double>(shape.counts.size());
  for (std::size_t i = 0; i < shape.counts.size(); ++i) {
    const double left = axis.position(shape_low + step * static_cast<double>(i));
    const double right = axis.position(shape_low + step * static_cast<double>(i + 1));
    const std::size_t first = clamp_to_bin(left, bins);
    const std::size_t last = std::max(first, clamp_to_bin(right - 1e-9, bins));
    std::uint64_t rest = shape.counts[i];
    for (std::size_t bin = first; bin < last; ++bin) {
      const double begin = std::max(left, static_cast<double>(bin));
      const double share = (static_cast<double>(bin + 1) - begin) / (right - begin);
      const auto part = std::min(rest, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(rest))));
      result[bin] += part;
      rest -= part;
    }
    result[last] += rest;
  }
  return result;
}

}  // namespace volley::report

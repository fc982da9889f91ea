// The run over time: at most 1024 bins of equal width, by time of sending.
//
// Bins begin one millisecond wide; when the run outgrows them, neighbours are
// joined and the width doubles. So memory is fixed (1.5 MB) and nothing is lost
// but resolution. Each bin keeps a small log-linear histogram, 8 us to 34 s
// (outside it the nearest bin counts), whose quantiles are within 3.2 %; a
// bin's least and greatest RTT are exact. Receiver thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "volley/stats/run_result.h"

namespace volley::stats {

inline constexpr std::size_t kTimelineBins = 1024;
inline constexpr std::int64_t kTimelineFirstWidthNs = 1'000'000;

class TimelineRecorder {
 public:
  TimelineRecorder() : rows_(kTimelineBins) {}

  std::size_t memory_bytes() const { return rows_.size() * sizeof(Row); }
  // Times since the start of the run; what lies before it counts in the first bin.
  void record_sent(std::int64_t sent_ns) { ++row_at(sent_ns).sent; }
  void record_lost(std::int64_t sent_ns);
  void record_answered(std::int64_t sent_ns);
  void record_answered(std::int64_t sent_ns, std::int64_t rtt_ns);

  // From the start to the last bin that a probe was sent in.
  Timeline timeline() const;

 private:
  static constexpr unsigned kBits = 4;
  static constexpr unsigned kFirstOctave = 13;  // 2^13 ns = 8 us
  static constexpr unsigned kOctaves = 22;      // up to 2^35 ns = 34 s
  static constexpr std::size_t kCells = std::size_t{kOctaves} << kBits;

  struct Row {
    std::uint64_t sent = 0;
    std::uint64_t answered = 0;
    std::uint64_t lost = 0;
    std::uint64_t rtt_count = 0;
    std::int64_t rtt_min_ns = 0;
    std::int64_t rtt_max_ns = 0;
    std::array<std::uint32_t, kCells> cells{};
  };

  static std::size_t cell_of(std::int64_t rtt_ns);
  static std::int64_t quantile_ns(const Row& row, std::uint32_t ppm);
  static void join(Row& into, const Row& from);
  Row& row_at(std::int64_t sent_ns);
  void double_width();

  std::int64_t width_ns_ = kTimelineFirstWidthNs;
  // The bin of the last event: most events fall into the same one again.
  std::int64_t current_begin_ns_ = 0;
  std::size_t current_ = 0;
  std::vector<Row> rows_;
};

}  // namespace volley::stats

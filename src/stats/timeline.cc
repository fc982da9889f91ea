// The timeline's bins: where an event falls, doubling, and the final list.
//
// Invariant: row i holds the events sent within [i, i + 1) x width_ns_, and the
// cells of a row add up to its rtt_count. Receiver thread only.
#include "volley/stats/timeline.h"

#include <algorithm>

#include "volley/stats/log_linear.h"

namespace volley::stats {

TimelineRecorder::Row& TimelineRecorder::row_at(std::int64_t sent_ns) {
  const std::int64_t since = sent_ns - current_begin_ns_;
  if (since >= 0 && since < width_ns_) return rows_[current_];
  const std::int64_t sent = std::max<std::int64_t>(sent_ns, 0);
  while (sent / width_ns_ >= static_cast<std::int64_t>(kTimelineBins)) double_width();
  current_ = static_cast<std::size_t>(sent / width_ns_);
  current_begin_ns_ = static_cast<std::int64_t>(current_) * width_ns_;
  return rows_[current_];
}

void TimelineRecorder::record_lost(std::int64_t sent_ns) {
  Row& row = row_at(sent_ns);
  ++row.sent;
  ++row.lost;
}

void TimelineRecorder::record_answered(std::int64_t sent_ns) {
  Row& row = row_at(sent_ns);
  ++row.sent;
  ++row.answered;
}

void TimelineRecorder::record_answered(std::int64_t sent_ns, std::int64_t rtt_ns) {
  Row& row = row_at(sent_ns);
  ++row.sent;
  ++row.answered;
  row.rtt_min_ns = row.rtt_count == 0 ? rtt_ns : std::min(row.rtt_min_ns, rtt_ns);
  row.rtt_max_ns = std::max(row.rtt_max_ns, rtt_ns);
  ++row.rtt_count;
  ++row.cells[cell_of(rtt_ns)];
}

std::size_t TimelineRecorder::cell_of(std::int64_t rtt_ns) {
  constexpr std::int64_t kLeast = std::int64_t{1} << kFirstOctave;
  constexpr std::int64_t kGreatest = (std::int64_t{1} << (kFirstOctave + kOctaves)) - 1;
  const auto value = static_cast<std::uint64_t>(std::clamp(rtt_ns, kLeast, kGreatest));
  const unsigned octave = octave_of(value);
  return (std::size_t{octave - kFirstOctave} << kBits) + bin_in_octave(value, octave, kBits);
}

void TimelineRecorder::join(Row& into, const Row& from) {
  into.sent += from.sent;
  into.answered += from.answered;
  into.lost += from.lost;
  if (from.rtt_count == 0) return;
  into.rtt_min_ns = into.rtt_count == 0 ? from.rtt_min_ns : std::min(into.rtt_min_ns, from.rtt_min_ns);
  into.rtt_max_ns = std::max(into.rtt_max_ns, from.rtt_max_ns);
  into.rtt_count += from.rtt_count;
  for (std::size_t cell = 0; cell < kCells; ++cell) into.cells[cell] += from.cells[cell];
}

void TimelineRecorder::double_width() {
  for (std::size_t i = 0; i < kTimelineBins / 2; ++i) {
    if (i > 0) rows_[i] = rows_[2 * i];
    join(rows_[i], rows_[2 * i + 1]);
  }
  std::fill(rows_.begin() + kTimelineBins / 2, rows_.end(), Row{});
  width_ns_ *= 2;
  current_ = 0;
  current_begin_ns_ = 0;
}

std::int64_t TimelineRecorder::quantile_ns(const Row& row, std::uint32_t ppm) {
  const std::uint64_t rank = nearest_rank(row.rtt_count, ppm);
  if (rank <= 1) return row.rtt_min_ns;
  if (rank >= row.rtt_count) return row.rtt_max_ns;
  std::uint64_t seen = 0;
  std::size_t cell = 0;
  while (cell + 1 < kCells && (seen += row.cells[cell]) < rank) ++cell;
  const auto octave = kFirstOctave + static_cast<unsigned>(cell >> kBits);
  const auto bin = static_cast<std::uint32_t>(cell & ((std::size_t{1} << kBits) - 1));
  return std::clamp(static_cast<std::int64_t>(bin_middle(octave, bin, kBits)), row.rtt_min_ns, row.rtt_max_ns);
}

Timeline TimelineRecorder::timeline() const {
  Timeline timeline;
  timeline.bin_ns = width_ns_;
  const auto last = std::find_if(rows_.rbegin(), rows_.rend(), [](const Row& row) { return row.sent > 0; });
  const auto used = static_cast<std::size_t>(rows_.rend() - last);
  timeline.bins.reserve(used);
  for (std::size_t i = 0; i < used; ++i) {
    const Row& row = rows_[i];
    TimelineBin& bin = timeline.bins.emplace_back();
    bin.t_ns = static_cast<std::int64_t>(i) * width_ns_;
    bin.sent = row.sent;
    bin.answered = row.answered;
    bin.lost = row.lost;
    if (row.rtt_count == 0) continue;
    bin.rtt_p50_ns = quantile_ns(row, kP50);
    bin.rtt_p99_ns = quantile_ns(row, kP99);
  }
  return timeline;
}

}  // namespace volley::stats

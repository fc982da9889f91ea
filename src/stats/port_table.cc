// Port records and tails: recording and the final lists.
//
// Invariant: the tail bins of a port add up to its rtt_count once the
// destination is calibrated (32-bit bins, which saturate). Receiver thread only.
#include "volley/stats/port_table.h"

#include <algorithm>
#include <limits>

namespace volley::stats {

namespace {

// Slow is four times the median or more: twice what doubling a path would do.
constexpr std::int64_t kSlowFactor = 4;
constexpr std::uint32_t kFullBin = std::numeric_limits<std::uint32_t>::max();

std::size_t recorded_destinations(std::size_t ports, std::size_t destinations) {
  if (ports == 0) return 0;
  return std::min({destinations, kPortRecords / ports, kPortDestinations});
}

void count_tail(PortRecord& record, const TailScale& scale, std::int64_t rtt_ns) {
  std::uint32_t& bin = record.tail[scale.bin_of(rtt_ns)];
  if (bin != kFullBin) ++bin;
}

PortResult to_result(std::uint16_t port, const PortRecord& record) {
  PortResult result;
  result.port = port;
  result.sent = record.sent;
  result.answered = record.answered;
  result.lost = record.lost;
  result.reverse = std::min(record.reverse, record.lost);
  result.rtt_count = record.rtt_count;
  result.rtt_min_ns = record.rtt_min_ns;
  result.rtt_max_ns = record.rtt_max_ns;
  if (record.rtt_count > 0) {
    result.rtt_mean_ns = static_cast<std::int64_t>((record.rtt_sum_ns + record.rtt_count / 2) / record.rtt_count);
  }
  return result;
}

}  // namespace

PortTable::PortTable(const PortIndex& index, std::size_t destinations)
    : index_(index),
      recorded_(recorded_destinations(index.size(), destinations)),
      records_(recorded_ * index.size()),
      calibrations_(recorded_) {
  for (Calibration& calibration : calibrations_) calibration.early.reserve(kEarlyReplies);
}

std::size_t PortTable::memory_bytes() const {
  return records_.size() * sizeof(PortRecord) +
         calibrations_.size() * (sizeof(Calibration) + kEarlyReplies * sizeof(EarlyReply));
}

PortRecord* PortTable::find(std::uint32_t destination, std::uint16_t port) {
  if (!has_records(destination)) return nullptr;
  const auto place = index_.place_of(port);
  return place ? &records_[first_row(destination) + *place] : nullptr;
}

void PortTable::record_rtt(std::uint32_t destination, PortRecord& record, std::int64_t rtt_ns) {
  record.rtt_min_ns = record.rtt_count == 0 ? rtt_ns : std::min(record.rtt_min_ns, rtt_ns);
  record.rtt_max_ns = std::max(record.rtt_max_ns, rtt_ns);
  record.rtt_sum_ns += static_cast<std::uint64_t>(std::max<std::int64_t>(rtt_ns, 0));
  ++record.rtt_count;
  Calibration& calibration = calibrations_[destination];
  if (calibration.scale) {
    count_tail(record, *calibration.scale, rtt_ns);
    return;
  }
  const auto place = static_cast<std::size_t>(&record - records_.data()) - first_row(destination);
  calibration.early.push_back({rtt_ns, static_cast<std::uint32_t>(place)});
  if (calibration.early.size() == kEarlyReplies) calibrate(destination);
}

TailScale PortTable::scale_of(const std::vector<EarlyReply>& early) {
  std::array<std::int64_t, kEarlyReplies> values;
  std::transform(early.begin(), early.end(), values.begin(), [](const EarlyReply& reply) { return reply.rtt_ns; });
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(early.size());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(early.size() / 2);
  std::nth_element(values.begin(), middle, end);
  return TailScale(early.empty() ? 0 : *middle);
}

void PortTable::calibrate(std::uint32_t destination) {
  Calibration& calibration = calibrations_[destination];
  calibration.scale = scale_of(calibration.early);
  for (const EarlyReply& reply : calibration.early) {
    count_tail(records_[first_row(destination) + reply.place], *calibration.scale, reply.rtt_ns);
  }
  calibration.early.clear();
}

void PortTable::fill(std::uint32_t destination, const std::vector<std::uint16_t>& ports, std::int64_t median_ns,
                     DestinationResult& result) const {
  const auto begin = records_.begin() + static_cast<std::ptrdiff_t>(first_row(destination));
  std::vector<PortRecord> records(begin, begin + static_cast<std::ptrdiff_t>(ports.size()));
  const Calibration& calibration = calibrations_[destination];
  const TailScale scale = calibration.scale ? *calibration.scale : scale_of(calibration.early);
  for (const EarlyReply& reply : calibration.early) count_tail(records[reply.place], scale, reply.rtt_ns);

  const auto thresholds = scale.thresholds_ns();
  const bool has_rtt = calibration.scale || !calibration.early.empty();
  const auto slow = std::lower_bound(thresholds.begin(), std::prev(thresholds.end()), kSlowFactor * median_ns);
  if (has_rtt) {
    result.tails.thresholds_ns.assign(thresholds.begin(), thresholds.end());
    result.slow_threshold_ns = *slow;
  }
  for (std::size_t place = 0; place < ports.size(); ++place) {
    const PortRecord& record = records[place];
    if (record.sent == 0) continue;
    PortResult& port = result.ports.emplace_back(to_result(ports[place], record));
    if (!has_rtt) continue;
    // From bins to "above each threshold": sums from the slow end.
    const std::size_t row = result.tails.above.size();
    result.tails.above.resize(row + kTailThresholds);
    std::uint64_t above = 0;
    for (std::size_t t = kTailThresholds; t-- > 0;) {
      above += record.tail[t + 1];
      result.tails.above[row + t] = static_cast<std::uint32_t>(std::min<std::uint64_t>(above, kFullBin));
    }
    port.slow = result.tails.above[row + static_cast<std::size_t>(slow - thresholds.begin())];
  }
  result.source_ports_used = result.ports.size();
}

}  // namespace volley::stats

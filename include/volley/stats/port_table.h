// Compact records for each (destination, source port), and per-port RTT tails.
//
// Fixed memory: records for whole destinations, the first of the plan, within
// kPortRecords pairs and kPortDestinations. Beyond them nothing is kept, and
// has_records() tells. Receiver thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "volley/stats/port_index.h"
#include "volley/stats/run_result.h"
#include "volley/stats/tail_scale.h"

namespace volley::stats {

// Three cache lines: at high rates each probe meets another port, and waits for
// memory rather than for arithmetic.
struct alignas(64) PortRecord {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t lost = 0;
  std::uint64_t reverse = 0;
  std::uint64_t rtt_count = 0;
  std::uint64_t rtt_sum_ns = 0;  // 584 years of waiting fit
  std::int64_t rtt_min_ns = 0;
  std::int64_t rtt_max_ns = 0;
  std::array<std::uint32_t, kTailBins> tail{};  // replies by TailScale::bin_of; saturating
};
static_assert(sizeof(PortRecord) == 192);

class PortTable {
 public:
  // `index` must outlive the table.
  PortTable(const PortIndex& index, std::size_t destinations);

  std::size_t memory_bytes() const;
  bool has_records(std::uint32_t destination) const { return destination < recorded_; }
  // The record of a pair; nullptr for a port outside the set or beyond the limit.
  PortRecord* find(std::uint32_t destination, std::uint16_t port);
  // A reply's RTT, for the record and the tails. `record` is of this destination.
  void record_rtt(std::uint32_t destination, PortRecord& record, std::int64_t rtt_ns);

  // Fills ports, tails, slow_threshold_ns and source_ports_used of a destination
  // with records; `ports` is the set that the index was made from.
  void fill(std::uint32_t destination, const std::vector<std::uint16_t>& ports, std::int64_t median_ns,
            DestinationResult& result) const;

 private:
  // A reply that came before the destination's thresholds were chosen.
  struct EarlyReply {
    std::int64_t rtt_ns = 0;
    std::uint32_t place = 0;
  };
  struct Calibration {
    std::optional<TailScale> scale;
    std::vector<EarlyReply> early;  // capacity kEarlyReplies, reserved at construction
  };
  static constexpr std::size_t kEarlyReplies = 256;

  static TailScale scale_of(const std::vector<EarlyReply>& early);
  void calibrate(std::uint32_t destination);
  std::size_t first_row(std::uint32_t destination) const { return destination * index_.size(); }

  const PortIndex& index_;
  std::size_t recorded_;  // destinations
  std::vector<PortRecord> records_;
  std::vector<Calibration> calibrations_;
};

}  // namespace volley::stats

// Hits by source port of one destination, lost or slow, and what the search
// without known RSS makes of them.
//
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "volley/diagnosis/blind.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// What counts as a hit.
struct Indicator {
  std::int64_t slow_above_ns = 0;  // 0: lost
  double log_price = 0.0;          // of the destinations and levels that were looked at
  std::vector<HitCount> ports;     // for each of DestinationResult::ports

  bool is_loss() const { return slow_above_ns == 0; }
  HitCount total() const;
};

Indicator loss_indicator(const Subject& subject);

// One for each level of slowness; `explained` are replies that something else
// made slow, and count as if they had not been.
std::vector<Indicator> slow_indicators(const Subject& subject, const std::vector<stats::SlowReply>& explained);

struct BoundSearch {
  BlindMatch match;                     // with the probe as the unit: is it bound to the flow?
  std::optional<BlindMatch> structure;  // with the port as the unit: is it a linear hash? Set only if it is
  double log_p = 0.0;                   // price paid; negative
  std::vector<bool> inside;             // for each of DestinationResult::ports: in the bad part

  bool is_bound() const;
};

// nullopt where there are too few hits or ports.
std::optional<BoundSearch> search_ports(const Subject& subject, const Indicator& indicator);

// The counts of the ports for which `inside` is `value`.
HitCount count_where(const Indicator& indicator, const std::vector<bool>& inside, bool value);

}  // namespace volley::diagnosis

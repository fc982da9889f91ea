// On which way packets were lost: from SYN-ACKs that the target sent again.
//
// The estimate is per packet, since a share of the probes would read 0.15 where
// 0.2 of the answers are lost: what is lost twice shows no sign. It holds where
// loss does not depend on the flow. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

struct DirectionCounts {
  std::uint64_t first = 0;   // probes whose first SYN-ACK came
  std::uint64_t resent = 0;  // only a resent one, or a challenge ACK
  std::uint64_t none = 0;    // no sign at all
  int resends_awaited = 2;   // 1: the run waited for the first resend alone
};

struct RatioEstimate {
  double value = 0.0;
  Interval interval;  // 95 %
};

struct DirectionEstimate {
  RatioEstimate there;
  RatioEstimate back;
};

// nullopt without an answer: then both ways are equally possible.
std::optional<DirectionEstimate> estimate_direction(const DirectionCounts& counts);

enum class LossWay : std::uint8_t { unknown, there, back, both };

// What may be said about the losses of a destination. `unknown` where the
// target was never seen to resend (SYN cookies, SYN proxies and dead hosts don't).
LossWay loss_way(const stats::DestinationResult& destination);

// The same for some of its ports alone: where loss is bound to the flow, the
// others would dilute it.
LossWay loss_way(const std::vector<stats::PortResult>& ports, const stats::DestinationResult& destination);

// "lost on the way there"; empty if unknown.
std::string way_text(LossWay way);

// "there", "back", "both", "unknown": what the evidence in JSON says.
std::string way_key(LossWay way);

// The finding of its own, for a destination without another finding about its loss.
std::optional<Finding> find_loss_direction(const Subject& subject);

}  // namespace volley::diagnosis

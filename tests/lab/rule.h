// One rule of the software NIC: which frames it is for, and what happens to them.
//
// A plain value, made from text like "queue=3 match=synack loss=5%" (README.md
// has the grammar). parse_rule throws std::invalid_argument that names the word
// it can't understand, so a rule that exists is a rule that makes sense.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frame.h"
#include "rss.h"

namespace lab {

using Nanoseconds = std::int64_t;

// A set of small numbers; empty means every number.
struct NumberSet {
  struct Range {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
  };
  std::vector<Range> ranges;
  bool contains(std::uint16_t number) const;
};

enum class Jitter : std::uint8_t { none, uniform, exponential };

struct Rule {
  std::string text;

  // Which frames.
  NumberSet queues;          // receive queue at the side that the frame goes to
  NumberSet reverse_queues;  // receive queue of the flow's other direction
  NumberSet ports;           // the target's port
  std::uint32_t kinds = 0;   // bit k: Kind k
  std::uint32_t path = 0;    // of `paths` equal parts of the flows, by CRC-32 (an ECMP or LAG member)
  std::uint32_t paths = 0;   // 0: any

  // What happens, in this order.
  double loss = 0;               // probability
  std::uint64_t loss_every = 0;  // or each n-th frame of the queue
  double burst = 0;              // mean number of frames lost in a row; 0: independent losses
  Nanoseconds stall = 0;         // no frame is served for so long ...
  Nanoseconds stall_period = 0;  // ... once in so long
  double rate = 0;               // frames a second that are served; 0: any
  std::uint64_t ring = std::numeric_limits<std::uint64_t>::max();  // frames that may wait for service
  Nanoseconds delay = 0;
  Jitter jitter = Jitter::none;
  Nanoseconds jitter_size = 0;    // greatest (uniform) or mean (exponential)
  double reorder = 0;             // probability to be held back ...
  Nanoseconds hold = 0;           // ... for so long
  std::uint32_t hold_frames = 0;  // ... or until so many later frames of the queue went
  double duplicate = 0;           // probability
  Nanoseconds duplicate_after = 0;

  bool applies_to(const FrameFacts& facts, QueueId queue) const;  // but reverse queue, port and path
  bool has_service() const { return stall > 0 || rate > 0; }
};

Rule parse_rule(std::string_view text);

// "3ms", "0.5us", "2s": a number and ns, us, ms or s. Throws std::invalid_argument.
Nanoseconds parse_time(std::string_view text);

}  // namespace lab

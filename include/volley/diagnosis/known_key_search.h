// Do the ports that were hit agree with a published default key? Then the queue
// has a number.
//
// Hypotheses: the keys of rss/known_keys as they are and with their bytes
// reversed, each input transformation, each initial hash, table size, number of
// queues, way to fill the table, and queue. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "volley/diagnosis/bound_search.h"
#include "volley/diagnosis/subject.h"
#include "volley/rss/config.h"
#include "volley/rss/indirection_table.h"

namespace volley::diagnosis {

struct KeyMatch {
  std::string key_name;
  bool is_reversed = false;  // bytes of the key in reversed order
  rss::InputTransform transform = rss::InputTransform::none;
  std::uint32_t initial_hash = 0;
  std::size_t entries = 0;
  std::size_t queues = 0;
  rss::TableFill fill = rss::TableFill::modulo;
  rss::QueueId queue = 0;  // the bad one
  double score = 0.0;      // -ln of the tail, less the ln of the number of hypotheses
  // That a key drawn at random would agree as well: with few port bits too
  // likely to name the key (STATISTICS section 3).
  double chance = 1.0;
};

// The best hypothesis, if it explains the hits about as well as the best
// structure does. Requires search.structure.
std::optional<KeyMatch> find_known_key(const Subject& subject, const Indicator& indicator, const BoundSearch& search);

}  // namespace volley::diagnosis

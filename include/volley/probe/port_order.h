// The order in which one destination's source ports are used (DESIGN rule 8).
//
// The next port is drawn uniformly among those that have rested for 1.25 s of
// that destination's own schedule; with the target's RSS known, its queues take
// turns, each once in a random order, and the draw is within the queue.
// Invariant: between two uses of a port lie at least rest_draws others of its
// destination. The draws depend on the seed alone, never on what comes back.
// Sender thread only.
#pragma once

#include <cstdint>
#include <vector>

#include "volley/probe/generator.h"
#include "volley/probe/plan.h"

namespace volley::probe {

class PortOrder {
 public:
  // REQUIRES: plan.source_ports is not empty. `generator` is drawn from for the
  // first order; hand the same one to every next().
  PortOrder(const ProbePlan& plan, const Destination& destination, Generator& generator);

  std::uint16_t next(Generator& generator);

  // Queues that take turns; 1 if the target's RSS is not known.
  std::size_t group_count() const { return groups_.size(); }

 private:
  // A stretch of ports_: those that may be drawn first, then the resting ones, a
  // ring whose oldest member is at `oldest`.
  struct Group {
    std::uint32_t begin = 0;
    std::uint32_t rested = 0;   // ports that may be drawn
    std::uint32_t resting = 0;  // ports in the ring
    std::uint32_t oldest = 0;   // index into the ring
  };

  void group_by_queue(const ProbePlan& plan, const Destination& destination);
  std::uint32_t next_group(Generator& generator);

  std::vector<std::uint16_t> ports_;
  std::vector<Group> groups_;
  std::vector<std::uint16_t> turns_;  // the rest of this round's order of groups is before turns_left_
  std::uint32_t turns_left_ = 0;
};

}  // namespace volley::probe

// Where the matcher tells what it learned; the statistics implement it.
//
// Called by the receiver thread only. Implementations don't throw.
#pragma once

#include <cstdint>

#include "volley/probe/outcome.h"

namespace volley::probe {

class OutcomeSink {
 public:
  virtual ~OutcomeSink() = default;
  // Once for each probe. Answers come in the order of their arrival, so that
  // jitter can be taken over them; losses once they are certain.
  virtual void on_outcome(const Outcome& outcome) = 0;
  virtual void on_amendment(const Amendment& amendment) = 0;
  virtual void on_stray(std::uint32_t destination, StrayKind kind) = 0;
};

}  // namespace volley::probe

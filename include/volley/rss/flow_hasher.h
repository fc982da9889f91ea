// Hashes many flows under one configuration, faster than hash_of.
//
// Invariant: both classes give what hash_of and queue_of give for the same
// configuration and flow. Immutable once built; any thread may use one.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "volley/rss/config.h"
#include "volley/rss/toeplitz.h"
#include "volley/wire/flow.h"

namespace volley::rss {

// Any flow: for flows read from a file or a capture.
class RssHasher {
 public:
  explicit RssHasher(RssConfig config);

  const RssConfig& config() const { return config_; }
  std::uint32_t hash(const wire::Flow& flow) const;
  QueueId queue(const wire::Flow& flow) const;

 private:
  RssConfig config_;
  std::optional<ToeplitzTables> tables_;  // of Toeplitz only
};

// Flows that differ in the source port alone: two look-ups a port. It rests on
// this: with the rest fixed, every hash function and input transformation here
// is affine over GF(2) in the bits of the source port.
class FlowHasher {
 public:
  // The source port of `flow` does not matter.
  FlowHasher(const RssConfig& config, const wire::Flow& flow);

  std::uint32_t hash(std::uint16_t source_port) const {
    return base_ ^ high_[source_port >> 8U] ^ low_[source_port & 0xffU];
  }
  QueueId queue(std::uint16_t source_port) const;

 private:
  std::uint32_t base_ = 0;                 // hash of source port 0
  std::array<std::uint32_t, 256> high_{};  // what the port's high byte adds
  std::array<std::uint32_t, 256> low_{};
  HashFunction function_;
  std::vector<QueueId> table_;
};

}  // namespace volley::rss

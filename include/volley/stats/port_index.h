// From a source port to its place in the plan's port set.
//
// Immutable once made; any thread. A table over the span of the set, so that
// the lookup is one load: 4 kB for a default run, 128 kB at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace volley::stats {

class PortIndex {
 public:
  // `ports` ascending and different, as in ProbePlan::source_ports.
  explicit PortIndex(const std::vector<std::uint16_t>& ports);

  std::size_t size() const { return size_; }
  std::size_t memory_bytes() const { return places_.size() * sizeof(std::uint16_t); }
  std::optional<std::size_t> place_of(std::uint16_t port) const {
    const auto offset = static_cast<std::size_t>(port) - first_;  // wraps below first_, and is then too great
    if (offset >= places_.size() || places_[offset] == kNone) return std::nullopt;
    return places_[offset];
  }

 private:
  // No place can be this: there are 65,536 ports, and kNone is given only if
  // the set lacks one of them.
  static constexpr std::uint16_t kNone = 0xffff;
  std::size_t size_;
  std::size_t first_ = 0;
  std::vector<std::uint16_t> places_;
};

}  // namespace volley::stats

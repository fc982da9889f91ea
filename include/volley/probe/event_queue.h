// Sightings on their way from reading order to the order of their stamps.
//
// Several capture handles are read one after the other, so an answer can be
// read before the departure of its probe. The rules of matching are only sound
// in the order of time: each event waits here until nothing earlier can come.
// Fixed memory; when it is full the older half is let go early. Receiver thread only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "volley/probe/sighting.h"
#include "volley/rss/config.h"

namespace volley::probe {

struct FlightEvent {
  std::int64_t time_ns = 0;  // stamp of the frame
  Sighting sighting;
  std::optional<rss::QueueId> local_queue;
  std::uint16_t unreachable = 0;  // of an error: 1 + its index; 0: none
  std::uint8_t ttl = 0;
  std::uint32_t order = 0;  // in which it was read; wraps, and only breaks ties
};

class EventQueue {
 public:
  static constexpr std::size_t kCapacity = 16384;

  EventQueue() { events_.reserve(kCapacity); }

  bool is_full() const { return events_.size() == kCapacity; }
  bool is_empty() const { return events_.empty(); }

  // REQUIRES: !is_full().
  void push(FlightEvent event) {
    event.order = next_order_++;
    events_.push_back(event);
  }

  // Hands over the events that `is_wanted`, in order of time; of equal stamps
  // departures first.
  template <typename IsWanted, typename Apply>
  void apply_where(IsWanted&& is_wanted, Apply&& apply) {
    const auto end = std::partition(events_.begin(), events_.end(), is_wanted);
    std::sort(events_.begin(), end, is_earlier);
    for (auto event = events_.begin(); event != end; ++event) {
      apply(*event);
    }
    events_.erase(events_.begin(), end);
  }

  // The same for what is stamped before `time_ns`.
  template <typename Apply>
  void apply_before(std::int64_t time_ns, Apply&& apply) {
    apply_where([time_ns](const FlightEvent& event) { return event.time_ns < time_ns; }, apply);
  }

  // The stamp that half of the events lie before. REQUIRES: !is_empty().
  std::int64_t middle_ns() {
    const auto middle = events_.begin() + static_cast<std::ptrdiff_t>(events_.size() / 2);
    std::nth_element(events_.begin(), middle, events_.end(), is_earlier);
    return middle->time_ns;
  }

 private:
  static bool is_earlier(const FlightEvent& a, const FlightEvent& b) {
    if (a.time_ns != b.time_ns) return a.time_ns < b.time_ns;
    const bool a_departs = a.sighting.kind == SightingKind::probe;
    const bool b_departs = b.sighting.kind == SightingKind::probe;
    if (a_departs != b_departs) return a_departs;
    return a.order < b.order;
  }

  std::vector<FlightEvent> events_;
  std::uint32_t next_order_ = 0;
};

}  // namespace volley::probe

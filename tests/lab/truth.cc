// Counts and their JSON. See the header.
#include "truth.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "recorder.h"

namespace lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostWindows = 1000;

Json counts_json(const QueueCounts& counts) {
  Json kinds = Json::object();
  for (std::size_t i = 0; i < kKindCount; ++i) {
    if (counts.kind_in[i] > 0) {
      kinds[std::string(kind_name(static_cast<Kind>(i)))] = {{"in", counts.kind_in[i]},
                                                             {"dropped", counts.kind_dropped[i]}};
    }
  }
  return {{"in", counts.in},
          {"lost", counts.lost},
          {"overflowed", counts.overflowed},
          {"stalled", counts.stalled},
          {"queued", counts.queued},
          {"delayed", counts.delayed},
          {"reordered", counts.reordered},
          {"duplicated", counts.duplicated},
          {"written", counts.written},
          {"own_drops", counts.own_drops},
          {"waiting", counts.waiting()},
          {"kinds", kinds}};
}

Json rules_json(const Impairments& impairments, const TruthView& view) {
  Json rules = Json::array();
  for (std::size_t i = 0; i < impairments.rules().size(); ++i) {
    Json rule = {{"rule", impairments.rules()[i].text}};
    if (impairments.rules()[i].stall > 0) {
      Json windows = Json::array();
      for (const Window& window : impairments.stall_windows(i, view.now - view.wall_minus_monotonic, kMostWindows)) {
        windows.push_back({{"start_ns", window.start + view.wall_minus_monotonic},
                           {"end_ns", window.end + view.wall_minus_monotonic}});
      }
      rule["stalls"] = windows;
    }
    rules.push_back(rule);
  }
  return rules;
}

Json direction_json(const DirectionCounts& counts) {
  Json queues = Json::array();
  QueueCounts total;
  for (std::size_t i = 0; i < counts.queues.size(); ++i) {
    Json queue = {{"queue", i}};
    queue.update(counts_json(counts.queues[i]));
    queues.push_back(queue);
    const QueueCounts& one = counts.queues[i];
    for (auto field : {&QueueCounts::in, &QueueCounts::lost, &QueueCounts::overflowed, &QueueCounts::stalled,
                       &QueueCounts::queued, &QueueCounts::delayed, &QueueCounts::reordered, &QueueCounts::duplicated,
                       &QueueCounts::written, &QueueCounts::own_drops}) {
      total.*field += one.*field;
    }
    for (std::size_t kind = 0; kind < kKindCount; ++kind) {
      total.kind_in[kind] += one.kind_in[kind];
      total.kind_dropped[kind] += one.kind_dropped[kind];
    }
  }
  const Lateness& late = counts.lateness;
  return {{"total", counts_json(total)},
          {"queues", queues},
          {"untouched", counts_json(counts.untouched)},
          {"release_lateness_ns",
           {{"count", late.count()}, {"p50", late.quantile(0.5)}, {"p99", late.quantile(0.99)}, {"max", late.max()}}}};
}

Json device_json(const DeviceDrops& drops) {
  return {{"ring_full", drops.ring_full}, {"refused", drops.refused}};
}

}  // namespace

void QueueCounts::count_judged(Kind kind, std::uint16_t actions) {
  const auto add = [actions](std::uint64_t& counter, Action action) { counter += (actions & action) != 0 ? 1 : 0; };
  ++in;
  ++kind_in[static_cast<std::size_t>(kind)];
  add(lost, kLost);
  add(overflowed, kOverflowed);
  kind_dropped[static_cast<std::size_t>(kind)] += (actions & (kLost | kOverflowed)) != 0 ? 1 : 0;
  if ((actions & (kLost | kOverflowed)) != 0) {
    return;  // what an earlier rule meant to do to it never happened
  }
  add(stalled, kStalled);
  add(queued, kQueued);
  add(delayed, kDelayed);
  add(reordered, kReordered);
  add(duplicated, kDuplicated);
}

void Lateness::add(Nanoseconds late) {
  constexpr Nanoseconds kBucket = 1000;
  const auto index = static_cast<std::size_t>(std::max<Nanoseconds>(late, 0) / kBucket);
  ++buckets_[std::min(index, buckets_.size() - 1)];
  ++count_;
  max_ = std::max(max_, late);
}

Nanoseconds Lateness::quantile(double q) const {
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    below += buckets_[i];
    if (below > 0 && static_cast<double>(below) >= q * static_cast<double>(count_)) {
      return i + 1 == buckets_.size() ? max_ : std::min(max_, static_cast<Nanoseconds>(i + 1) * 1000);
    }
  }
  return 0;
}

std::string truth_json(const TruthView& view) {
  Json root = {{"schema", "volley.lab/1"},
               {"started_ns", view.started},
               {"now_ns", view.now},
               {"cpu_ns", view.cpu},
               {"rules_generation", view.generation}};
  std::uint64_t own_drops = 0;
  for (const Direction direction : {Direction::to_target, Direction::to_client}) {
    const auto index = static_cast<std::size_t>(direction);
    Json one = direction_json(*view.directions[index]);
    one["rules"] = rules_json(*view.impairments[index], view);
    root[direction == Direction::to_target ? "to_target" : "to_client"] = one;
    own_drops += view.directions[index]->untouched.own_drops;
    for (const QueueCounts& queue : view.directions[index]->queues) {
      own_drops += queue.own_drops;
    }
    own_drops += view.devices[index].ring_full;
  }
  root["devices"] = {{"target", device_json(view.devices[0])}, {"client", device_json(view.devices[1])}};
  root["own_drops"] = own_drops;
  return root.dump(2) + "\n";
}

}  // namespace lab

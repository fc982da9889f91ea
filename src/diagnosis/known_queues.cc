// The search for bad queues among known ones. Pure; any thread.
#include "volley/diagnosis/known_queues.h"

#include <algorithm>
#include <cmath>

#include "volley/diagnosis/exact_tail.h"

namespace volley::diagnosis {
namespace {

double rate(const QueueCount& count) {
  return count.probes == 0 ? 0.0 : static_cast<double>(count.hits) / static_cast<double>(count.probes);
}

struct Totals {
  std::uint64_t probes = 0;
  std::uint64_t hits = 0;
};

Totals total_of(std::span<const QueueCount> counts) {
  Totals totals;
  for (const QueueCount& count : counts) {
    totals.probes += count.probes;
    totals.hits += count.hits;
  }
  return totals;
}

struct Split {
  std::size_t size = 0;  // the first `size` queues, by falling rate
  double log_p = 0.0;
};

// The best split of queues that are sorted by falling rate. Sizes are priced by
// 1 / (j (j + 1)), which adds up to one, and sets by their number.
Split best_split(std::span<const QueueCount> sorted, double log_price) {
  const Totals all = total_of(sorted);
  Split best;
  Totals taken;
  for (std::size_t j = 1; j < sorted.size(); ++j) {
    taken.probes += sorted[j - 1].probes;
    taken.hits += sorted[j - 1].hits;
    const double size = static_cast<double>(j);
    const double price = log_price + log_choose(sorted.size(), j) + std::log(size * (size + 1.0));
    const double log_p = log_hypergeometric_upper({all.probes, all.hits, taken.probes}, taken.hits) + price;
    if (log_p < best.log_p) best = {j, log_p};
  }
  return best;
}

bool is_worth_a_word(const Totals& bad, const Totals& rest, double least_ratio) {
  if (rest.hits == 0) return true;
  const double bad_rate = static_cast<double>(bad.hits) / static_cast<double>(bad.probes);
  const double rest_rate = static_cast<double>(rest.hits) / static_cast<double>(rest.probes);
  return bad_rate >= least_ratio * rest_rate;
}

}  // namespace

std::vector<QueueGroup> find_bad_queues(std::span<const QueueCount> queues, const QueueSearch& search) {
  std::vector<QueueCount> left;
  for (const QueueCount& count : queues) {
    if (count.probes > 0) left.push_back(count);
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const QueueCount& a, const QueueCount& b) { return rate(a) > rate(b); });
  std::vector<QueueGroup> groups;
  while (left.size() > 1) {
    const Split split = best_split(left, search.log_price);
    if (split.size == 0 || split.log_p > search.log_alpha) break;
    const std::span<const QueueCount> bad = std::span(left).first(split.size);
    const Totals totals = total_of(bad);
    if (!is_worth_a_word(totals, total_of(std::span(left).subspan(split.size)), search.least_rate_ratio)) break;
    QueueGroup group{{}, totals.probes, totals.hits, 0, 0, std::min(0.0, split.log_p)};
    for (const QueueCount& count : bad) group.queues.push_back(count.queue);
    std::sort(group.queues.begin(), group.queues.end());
    groups.push_back(std::move(group));
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(split.size));
  }
  const Totals rest = total_of(left);
  for (QueueGroup& group : groups) {
    group.rest_probes = rest.probes;
    group.rest_hits = rest.hits;
  }
  return groups;
}

}  // namespace volley::diagnosis

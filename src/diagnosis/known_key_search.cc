// Looks through the published keys. Pure; any thread.
#include "volley/diagnosis/known_key_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "volley/diagnosis/exact_tail.h"
#include "volley/rss/flow_hasher.h"
#include "volley/rss/known_keys.h"

namespace volley::diagnosis {
namespace {

constexpr std::array<std::size_t, 4> kTableSizes{64, 128, 256, 512};
constexpr std::size_t kLargestTable = 512;
constexpr std::size_t kMostQueues = 128;
constexpr std::array kTransforms{rss::InputTransform::none, rss::InputTransform::symmetric_xor,
                                 rss::InputTransform::symmetric_or_xor};
constexpr std::array kFills{rss::TableFill::modulo, rss::TableFill::blocks};
constexpr std::array<std::uint32_t, 2> kInitialHashes{0U, ~0U};
// Distinct windows of port functions that the hypotheses have, by simulation
// with random keys (STATISTICS section 3).
constexpr double kDistinctWindows = 128.0;
// May be worse than the structure by so many nats.
constexpr double kTolerance = 3.0;

struct HashHypothesis {
  KeyMatch labels;
  std::vector<HitCount> by_index;  // of the largest table
};

std::vector<HitCount> count_by_index(const Subject& subject, const Indicator& indicator, const rss::RssConfig& config) {
  const rss::FlowHasher hasher(config, flow_of(subject));
  std::vector<HitCount> counts(kLargestTable);
  for (std::size_t i = 0; i < indicator.ports.size(); ++i) {
    HitCount& count = counts[hasher.hash(subject.destination().ports[i].port) % kLargestTable];
    count.probes += indicator.ports[i].probes;
    count.hits += indicator.ports[i].hits;
  }
  return counts;
}

std::vector<HashHypothesis> all_hashes(const Subject& subject, const Indicator& indicator) {
  std::vector<HashHypothesis> hypotheses;
  for (const rss::KnownKey& known : rss::known_keys()) {
    for (const bool is_reversed : {false, true}) {
      rss::RssConfig config;
      config.key.assign(known.bytes.begin(), known.bytes.end());
      if (is_reversed) std::reverse(config.key.begin(), config.key.end());
      config.table = {0};
      for (const rss::InputTransform transform : kTransforms) {
        config.transform = transform;
        for (const std::uint32_t initial : kInitialHashes) {
          config.initial_hash = initial;
          KeyMatch labels;
          labels.key_name = std::string(known.name);
          labels.is_reversed = is_reversed;
          labels.transform = transform;
          labels.initial_hash = initial;
          hypotheses.push_back({std::move(labels), count_by_index(subject, indicator, config)});
        }
      }
    }
  }
  return hypotheses;
}

// Counts of a smaller table, whose index is the low bits of the larger one's.
std::vector<HitCount> folded(const std::vector<HitCount>& by_index, std::size_t entries) {
  std::vector<HitCount> counts(entries);
  for (std::size_t i = 0; i < by_index.size(); ++i) {
    counts[i % entries].probes += by_index[i].probes;
    counts[i % entries].hits += by_index[i].hits;
  }
  return counts;
}

struct WorstQueue {
  rss::QueueId queue = 0;
  double log_tail = 0.0;
};

// The queue whose hits are furthest above the mean, in standard deviations.
WorstQueue worst_queue(const std::vector<HitCount>& by_index, const std::vector<rss::QueueId>& table,
                       std::size_t queues, const HitCount& total) {
  std::vector<HitCount> counts(queues);
  for (std::size_t i = 0; i < table.size(); ++i) {
    counts[table[i]].probes += by_index[i].probes;
    counts[table[i]].hits += by_index[i].hits;
  }
  const double mean = static_cast<double>(total.hits) / static_cast<double>(total.probes);
  std::size_t worst = 0;
  double most = 0.0;
  for (std::size_t q = 0; q < queues; ++q) {
    const double expected = mean * static_cast<double>(counts[q].probes);
    const double excess = static_cast<double>(counts[q].hits) - expected;
    if (excess <= 0.0 || excess * excess <= most * expected) continue;
    most = excess * excess / expected;
    worst = q;
  }
  const double log_tail =
      log_hypergeometric_upper_bound({total.probes, total.hits, counts[worst].probes}, counts[worst].hits);
  return {static_cast<rss::QueueId>(worst), log_tail};
}

struct Looked {
  std::optional<KeyMatch> best;  // score without the price
  double hypotheses = 0.0;
};

Looked look_through(const Subject& subject, const Indicator& indicator) {
  const HitCount total = indicator.total();
  const std::vector<HashHypothesis> hashes = all_hashes(subject, indicator);
  Looked looked;
  for (const std::size_t entries : kTableSizes) {
    std::vector<std::vector<HitCount>> by_index;
    for (const HashHypothesis& hash : hashes) by_index.push_back(folded(hash.by_index, entries));
    for (const rss::TableFill fill : kFills) {
      for (std::size_t queues = 2; queues <= std::min(entries, kMostQueues); ++queues) {
        const std::vector<rss::QueueId> table = rss::default_table(entries, queues, fill);
        looked.hypotheses += static_cast<double>(hashes.size() * queues);
        for (std::size_t h = 0; h < hashes.size(); ++h) {
          const WorstQueue worst = worst_queue(by_index[h], table, queues, total);
          if (looked.best && -worst.log_tail <= looked.best->score) continue;
          looked.best = hashes[h].labels;
          looked.best->entries = entries;
          looked.best->queues = queues;
          looked.best->fill = fill;
          looked.best->queue = worst.queue;
          looked.best->score = -worst.log_tail;
        }
      }
    }
  }
  return looked;
}

}  // namespace

std::optional<KeyMatch> find_known_key(const Subject& subject, const Indicator& indicator, const BoundSearch& search) {
  Looked looked = look_through(subject, indicator);
  if (!looked.best) return std::nullopt;
  KeyMatch match = std::move(*looked.best);
  match.score -= std::log(looked.hypotheses) + indicator.log_price;
  if (match.score < kBlindLimit || match.score < -search.log_p - kTolerance) return std::nullopt;
  const double window_bits = static_cast<double>(subject.plan.port_bits) - 1.0 + search.structure->index_bits();
  match.chance = std::min(1.0, kDistinctWindows / std::exp2(window_bits));
  return match;
}

}  // namespace volley::diagnosis

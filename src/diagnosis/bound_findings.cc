// Chooses between the known queues and the blind structure. Pure; any thread.
#include "volley/diagnosis/bound_findings.h"

#include <utility>

#include "volley/diagnosis/bound_search.h"
#include "volley/diagnosis/flow_bound.h"
#include "volley/diagnosis/queue_loss.h"
#include "volley/diagnosis/queue_slow.h"
#include "volley/diagnosis/rss_mismatch.h"

namespace volley::diagnosis {
namespace {

// `known`: the findings about the predicted queues.
std::vector<Finding> choose(const Subject& subject, const Indicator& indicator, const BoundSearch& search,
                            std::vector<Finding> known) {
  std::vector<Finding> findings;
  if (subject.plan.rss && is_prediction_refuted(subject, indicator, search)) {
    findings.push_back(make_mismatch_finding(subject, indicator, search));
    findings.push_back(make_flow_bound_finding(subject, indicator, search));
    return findings;
  }
  if (!known.empty()) return known;
  findings.push_back(make_flow_bound_finding(subject, indicator, search));
  return findings;
}

struct SlowSearch {
  Indicator indicator;
  BoundSearch search;
};

std::optional<SlowSearch> best_slow_search(const Subject& subject, const std::vector<stats::SlowReply>& explained) {
  std::optional<SlowSearch> best;
  for (Indicator& indicator : slow_indicators(subject, explained)) {
    auto search = search_ports(subject, indicator);
    if (!search || !search->is_bound()) continue;
    if (!best || search->log_p < best->search.log_p) best = SlowSearch{std::move(indicator), std::move(*search)};
  }
  return best;
}

}  // namespace

std::vector<Finding> find_bound_loss(const Subject& subject) {
  std::vector<Finding> known = find_queue_loss(subject);
  const Indicator indicator = loss_indicator(subject);
  const auto search = search_ports(subject, indicator);
  if (search && search->is_bound()) return choose(subject, indicator, *search, std::move(known));
  if (!known.empty()) return known;
  std::vector<Finding> findings;
  if (auto uniform = find_uniform_loss(subject, search)) findings.push_back(std::move(*uniform));
  return findings;
}

std::vector<Finding> find_bound_slow(const Subject& subject, const std::vector<stats::SlowReply>& explained) {
  std::vector<Finding> known = find_queue_slow(subject, explained);
  if (subject.index >= kMostSlowSearches) return known;
  const auto best = best_slow_search(subject, explained);
  if (best) return choose(subject, best->indicator, best->search, std::move(known));
  return known;
}

}  // namespace volley::diagnosis

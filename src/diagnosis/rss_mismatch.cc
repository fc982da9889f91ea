// The test of the given RSS against the data. Pure; any thread.
#include "volley/diagnosis/rss_mismatch.h"

#include <cmath>
#include <map>

#include "volley/diagnosis/wording.h"
#include "volley/rss/flow_hasher.h"

namespace volley::diagnosis {
namespace {

// hits ln(a / b), 0 for no hits.
double weighted_log(double hits, double a, double b) {
  return hits <= 0.0 ? 0.0 : hits * std::log(a / b);
}

}  // namespace

double predicted_gain(const std::vector<HitCount>& queues) {
  HitCount total;
  for (const HitCount& queue : queues) {
    total.probes += queue.probes;
    total.hits += queue.hits;
  }
  if (total.hits == 0 || total.hits == total.probes) return 0.0;
  const double mean = static_cast<double>(total.hits) / static_cast<double>(total.probes);
  double gain = 0.0;
  for (const HitCount& queue : queues) {
    if (queue.probes == 0) continue;
    const double hits = static_cast<double>(queue.hits);
    const double misses = static_cast<double>(queue.probes - queue.hits);
    const double rate = hits / static_cast<double>(queue.probes);
    gain += weighted_log(hits, rate, mean) + weighted_log(misses, 1.0 - rate, 1.0 - mean);
  }
  return gain;
}

std::vector<HitCount> count_by_queue(const Subject& subject, const Indicator& indicator) {
  std::vector<HitCount> counts;
  if (!subject.plan.rss) return counts;
  const rss::FlowHasher hasher(*subject.plan.rss, flow_of(subject));
  std::map<rss::QueueId, HitCount> by_queue;
  for (std::size_t i = 0; i < indicator.ports.size(); ++i) {
    HitCount& count = by_queue[hasher.queue(subject.destination().ports[i].port)];
    count.probes += indicator.ports[i].probes;
    count.hits += indicator.ports[i].hits;
  }
  for (const auto& [queue, count] : by_queue) counts.push_back(count);
  return counts;
}

bool is_prediction_refuted(const Subject& subject, const Indicator& indicator, const BoundSearch& search) {
  const std::vector<HitCount> queues = count_by_queue(subject, indicator);
  // One queue alone predicts nothing that could be wrong.
  return queues.size() > 1 && -search.log_p > predicted_gain(queues) + kBlindLimit;
}

Finding make_mismatch_finding(const Subject& subject, const Indicator& indicator, const BoundSearch& search) {
  Finding finding = make_finding(subject, FindingKind::rss_mismatch, Severity::warning);
  finding.summary = "the RSS given is not what spreads these flows";
  const std::vector<HitCount> queues = count_by_queue(subject, indicator);
  const double gain = predicted_gain(queues);
  finding.details.push_back(
      std::string(indicator.is_loss() ? "the losses" : "the slow replies") + " follow the flow, but not the " +
      std::to_string(queues.size()) + " predicted queues: another split of the ports explains them better by " +
      std::to_string(static_cast<std::int64_t>((-search.log_p - gain) / std::log(10.0))) + " orders of magnitude");
  finding.details.emplace_back(
      "a NIC whose shown key or table isn't in force does this, and so does a link group or a hypervisor before it");
  finding.next_steps.emplace_back("look on the target: ethtool -x DEV again, ethtool -n DEV rx-flow-hash " +
                                  std::string(subject.plan.protocol == probe::Protocol::udp ? "udp4" : "tcp4") +
                                  ", ethtool -u DEV (flow rules), and whether DEV is the interface that receives");
  finding.p_value = p_value(search.log_p + gain);
  finding.evidence.emplace_back("predicted_gain", gain);
  finding.evidence.emplace_back("blind_score", -search.log_p);
  finding.evidence.emplace_back("predicted_queues", static_cast<std::int64_t>(queues.size()));
  return finding;
}

}  // namespace volley::diagnosis

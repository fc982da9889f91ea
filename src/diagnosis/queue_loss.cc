// Sentences about queues that lose. Pure; any thread.
#include "volley/diagnosis/queue_loss.h"

#include <cmath>

#include "volley/diagnosis/direction.h"
#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/known_queues.h"
#include "volley/diagnosis/queue_ports.h"
#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

Finding loss_finding(const Subject& subject, const QueueGroup& group) {
  Finding finding = make_finding(subject, FindingKind::queue_loss, Severity::critical);
  const bool is_one = group.queues.size() == 1;
  const bool is_all_lost = group.hits == group.probes;
  finding.summary = queues_text(group.queues);
  finding.summary += is_one ? (is_all_lost ? " loses every packet" : " loses packets")
                            : (is_all_lost ? " lose every packet" : " lose packets");
  const LossWay way = loss_way(ports_of(subject, group.queues, true), subject.destination());
  std::string sentence = part_of(group.hits, group.probes) + " probes (" +
                         percent_with_interval(group.hits, group.probes) + ") against " +
                         part_of(group.rest_hits, group.rest_probes) + " on the other queues; " + p_text(group.log_p);
  if (way != LossWay::unknown) sentence += "; " + way_text(way);
  finding.details.push_back(std::move(sentence));
  finding.p_value = p_value(group.log_p);
  const Interval interval = clopper_pearson(group.hits, group.probes);
  finding.evidence.emplace_back("queues", std::vector<std::int64_t>(group.queues.begin(), group.queues.end()));
  finding.evidence.emplace_back("lost", static_cast<std::int64_t>(group.hits));
  finding.evidence.emplace_back("sent", static_cast<std::int64_t>(group.probes));
  finding.evidence.emplace_back("loss_ratio", static_cast<double>(group.hits) / static_cast<double>(group.probes));
  finding.evidence.emplace_back("loss_ci95_low", interval.low);
  finding.evidence.emplace_back("loss_ci95_high", interval.high);
  finding.evidence.emplace_back("others_lost", static_cast<std::int64_t>(group.rest_hits));
  finding.evidence.emplace_back("others_sent", static_cast<std::int64_t>(group.rest_probes));
  finding.evidence.emplace_back("direction", way_key(way));
  add_queue_steps(subject, group.queues, finding);
  return finding;
}

}  // namespace

std::vector<Finding> find_queue_loss(const Subject& subject) {
  std::vector<Finding> findings;
  std::vector<QueueCount> counts;
  for (const stats::QueueResult& queue : subject.destination().remote_queues) {
    counts.push_back({queue.queue, queue.answered + queue.lost, queue.lost});
  }
  std::vector<std::uint64_t> hits;
  for (const stats::PortResult& port : subject.destination().ports) hits.push_back(port.lost);
  for (const QueueGroup& group :
       find_bad_queues(counts, {.log_alpha = std::log(kKnownQueueAlpha), .log_price = subject.log_price()})) {
    if (do_ports_agree(subject, group.queues, hits)) findings.push_back(loss_finding(subject, group));
  }
  return findings;
}

}  // namespace volley::diagnosis

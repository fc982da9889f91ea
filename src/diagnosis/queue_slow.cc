// Sentences about queues that answer late. Pure; any thread.
#include "volley/diagnosis/queue_slow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "volley/diagnosis/known_queues.h"
#include "volley/diagnosis/queue_ports.h"
#include "volley/diagnosis/slow_levels.h"
#include "volley/diagnosis/wording.h"
#include "volley/rss/flow_hasher.h"

namespace volley::diagnosis {
namespace {

// A queue whose share of slow replies is less than this times the others' is
// not worth a word, however sure it is.
constexpr double kLeastRateRatio = 1.5;

struct SlowGroup {
  QueueGroup group;
  std::int64_t threshold_ns = 0;
};

std::vector<QueueCount> count_by_queue(const std::vector<stats::PortResult>& ports,
                                       const std::vector<rss::QueueId>& queue_of_port, const SlowLevel& level) {
  std::map<rss::QueueId, QueueCount> counts;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    QueueCount& count = counts[queue_of_port[i]];
    count.queue = queue_of_port[i];
    count.probes += ports[i].rtt_count;
    count.hits += level.hits[i];
  }
  std::vector<QueueCount> list;
  for (const auto& [queue, count] : counts) list.push_back(count);
  return list;
}

// The groups of the level whose worst group is the surest.
std::vector<SlowGroup> find_groups(const Subject& subject, const std::vector<stats::SlowReply>& explained) {
  const std::vector<stats::PortResult>& ports = subject.destination().ports;
  const rss::FlowHasher hasher(*subject.plan.rss, flow_of(subject));
  std::vector<rss::QueueId> queue_of_port;
  for (const stats::PortResult& port : ports) queue_of_port.push_back(hasher.queue(port.port));
  std::vector<SlowGroup> best;
  for (const SlowLevel& level : choose_slow_levels(subject.destination(), explained)) {
    const auto groups = find_bad_queues(count_by_queue(ports, queue_of_port, level),
                                        {.log_alpha = std::log(kKnownQueueAlpha),
                                         .log_price = subject.log_price() + std::log(static_cast<double>(kSlowLevels)),
                                         .least_rate_ratio = kLeastRateRatio});
    if (groups.empty() || (!best.empty() && best.front().group.log_p <= groups.front().log_p)) continue;
    std::vector<SlowGroup> found;
    for (const QueueGroup& group : groups) {
      if (do_ports_agree(subject, group.queues, level.hits)) found.push_back({group, level.threshold_ns});
    }
    if (!found.empty()) best = std::move(found);
  }
  return best;
}

// Quantiles and mean of several queues: a range where they differ.
struct QueueTimes {
  std::int64_t p50_low_ns = 0;
  std::int64_t p50_high_ns = 0;
  std::int64_t p99_low_ns = 0;
  std::int64_t p99_high_ns = 0;
  double mean_ns = 0.0;
  double variance_of_mean = 0.0;
};

QueueTimes times_of(const Subject& subject, const std::vector<rss::QueueId>& queues, bool inside) {
  QueueTimes times;
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  for (const stats::QueueResult& queue : subject.destination().remote_queues) {
    if (std::binary_search(queues.begin(), queues.end(), queue.queue) != inside || queue.rtt.count == 0) continue;
    const stats::RttSummary& rtt = queue.rtt;
    const bool is_first = count == 0.0;
    times.p50_low_ns = is_first ? rtt.p50_ns : std::min(times.p50_low_ns, rtt.p50_ns);
    times.p50_high_ns = is_first ? rtt.p50_ns : std::max(times.p50_high_ns, rtt.p50_ns);
    times.p99_low_ns = is_first ? rtt.p99_ns : std::min(times.p99_low_ns, rtt.p99_ns);
    times.p99_high_ns = is_first ? rtt.p99_ns : std::max(times.p99_high_ns, rtt.p99_ns);
    const double n = static_cast<double>(rtt.count);
    const double mean = static_cast<double>(rtt.mean_ns);
    const double deviation = static_cast<double>(rtt.stddev_ns);
    count += n;
    sum += n * mean;
    squares += n * (mean * mean + deviation * deviation);
  }
  if (count > 0.0) {
    times.mean_ns = sum / count;
    times.variance_of_mean = std::max(0.0, squares / count - times.mean_ns * times.mean_ns) / count;
  }
  return times;
}

std::string signed_text(double ns) {
  const std::string text = time_text(std::llround(std::fabs(ns)));
  return (ns < 0.0 ? "-" : "+") + text;
}

Finding slow_finding(const Subject& subject, const SlowGroup& slow) {
  const QueueGroup& group = slow.group;
  Finding finding = make_finding(subject, FindingKind::queue_slow, Severity::warning);
  finding.summary = queues_text(group.queues) + (group.queues.size() == 1 ? " answers late" : " answer late");
  const QueueTimes bad = times_of(subject, group.queues, true);
  const QueueTimes rest = times_of(subject, group.queues, false);
  finding.details.push_back("p50 " + time_range_text(bad.p50_low_ns, bad.p50_high_ns) + " against " +
                            time_range_text(rest.p50_low_ns, rest.p50_high_ns) + " on the other queues, p99 " +
                            time_range_text(bad.p99_low_ns, bad.p99_high_ns) + " against " +
                            time_range_text(rest.p99_low_ns, rest.p99_high_ns));
  const double shift = bad.mean_ns - rest.mean_ns;
  const double margin = 1.96 * std::sqrt(bad.variance_of_mean + rest.variance_of_mean);
  finding.details.push_back(part_of(group.hits, group.probes) + " replies took more than " +
                            time_text(slow.threshold_ns) + ", against " + part_of(group.rest_hits, group.rest_probes) +
                            "; " + p_text(group.log_p) + "; mean " + signed_text(shift) +
                            " (95 %: " + signed_text(shift - margin) + " to " + signed_text(shift + margin) + ")");
  finding.p_value = p_value(group.log_p);
  finding.evidence.emplace_back("queues", std::vector<std::int64_t>(group.queues.begin(), group.queues.end()));
  const auto add = [&](const char* name, std::uint64_t value) {
    finding.evidence.emplace_back(name, static_cast<std::int64_t>(value));
  };
  add("threshold_ns", static_cast<std::uint64_t>(slow.threshold_ns));
  add("slow", group.hits);
  add("answered", group.probes);
  add("others_slow", group.rest_hits);
  add("others_answered", group.rest_probes);
  finding.evidence.emplace_back("p50_shift_ns", bad.p50_high_ns - rest.p50_high_ns);
  finding.evidence.emplace_back("mean_shift_ns", static_cast<std::int64_t>(std::llround(shift)));
  finding.evidence.emplace_back("mean_shift_ci95_low_ns", static_cast<std::int64_t>(std::llround(shift - margin)));
  finding.evidence.emplace_back("mean_shift_ci95_high_ns", static_cast<std::int64_t>(std::llround(shift + margin)));
  add_queue_steps(subject, group.queues, finding);
  return finding;
}

}  // namespace

std::vector<Finding> find_queue_slow(const Subject& subject, const std::vector<stats::SlowReply>& explained) {
  std::vector<Finding> findings;
  if (!subject.plan.rss) return findings;
  for (const SlowGroup& group : find_groups(subject, explained)) findings.push_back(slow_finding(subject, group));
  return findings;
}

}  // namespace volley::diagnosis

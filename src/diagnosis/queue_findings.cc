// Sentences about bad queues. Pure; any thread.
#include "volley/diagnosis/queue_findings.h"

#include <algorithm>
#include <cmath>

#include "volley/diagnosis/direction.h"
#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/port_marks.h"
#include "volley/diagnosis/wording.h"
#include "volley/rss/flow_hasher.h"

namespace volley::diagnosis {
namespace {

// Loss and slowness of known queues share 1e-3 (STATISTICS section 6).
constexpr double kAlpha = 5e-4;

bool contains(const std::vector<rss::QueueId>& queues, rss::QueueId queue) {
  return std::binary_search(queues.begin(), queues.end(), queue);
}

std::vector<stats::PortResult> ports_of(const Subject& subject, const std::vector<rss::QueueId>& queues, bool inside) {
  std::vector<stats::PortResult> ports;
  if (!subject.plan.rss) return ports;
  const rss::FlowHasher hasher(*subject.plan.rss, flow_of(subject));
  for (const stats::PortResult& port : subject.destination().ports) {
    if (contains(queues, hasher.queue(port.port)) == inside) ports.push_back(port);
  }
  return ports;
}

std::string quoted(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789._-+:/=@%,") == std::string::npos;
  if (is_plain) return text;
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  return result + "'";
}

std::string host_of(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  return destination.target.empty() ? wire::to_string(destination.address) : destination.target;
}

// The command that gives the target's RSS again, as the user gave it.
std::string command_for_queue(const Subject& subject, rss::QueueId queue) {
  const std::string& source = subject.plan.rss_source;
  const std::string only = " --queue " + std::to_string(queue);
  if (source == "-" || source.empty()) {
    return "ssh " + host_of(subject) + " ethtool -x DEV | " + probe_command(subject, "--rss -" + only);
  }
  const bool is_key = !subject.plan.rss->key_name.empty() && source == subject.plan.rss->key_name;
  const bool is_hex = source.size() >= 80 && source.find_first_not_of("0123456789abcdefABCDEF:") == std::string::npos;
  if (is_key || is_hex) {
    const rss::RssConfig& config = *subject.plan.rss;
    return probe_command(subject, "--rss-key " + quoted(source) + " --rss-queues " +
                                      std::to_string(config.queue_count()) + " --rss-table " +
                                      std::to_string(config.table.size()) + only);
  }
  return probe_command(subject, "--rss " + quoted(source) + only);
}

void add_next_steps(const Subject& subject, const std::vector<rss::QueueId>& queues, Finding& finding) {
  constexpr std::size_t kPortsShown = 4;
  const std::string queue = std::to_string(queues.front());
  finding.next_steps.push_back("try " + command_for_queue(subject, queues.front()));
  const auto bad = ports_of(subject, queues, true);
  finding.ports = worst_ports(bad, kPortsShown);
  if (finding.ports.empty()) {
    for (std::size_t i = 0; i < std::min(bad.size(), kPortsShown); ++i) finding.ports.push_back(bad[i].port);
  }
  const auto sound = sound_ports(ports_of(subject, queues, false), kPortsShown);
  if (!finding.ports.empty()) {
    std::string sentence = "source ports of queue " + enumeration(queues) + ": " + port_list(finding.ports);
    if (!sound.empty()) sentence += "; sound ones to compare: " + port_list(sound);
    finding.details.push_back(std::move(sentence));
  }
  finding.next_steps.push_back("look on " + host_of(subject) +
                               ": ethtool -S DEV (rx missed, no buffer, drop); the CPU of queue " + queue +
                               " in /proc/interrupts; its row in /proc/net/softnet_stat");
}

Finding loss_finding(const Subject& subject, const QueueGroup& group) {
  Finding finding = make_finding(subject, FindingKind::queue_loss, Severity::critical);
  const bool is_one = group.queues.size() == 1;
  const bool is_all_lost = group.hits == group.probes;
  finding.summary = (is_one ? "queue " : "queues ") + enumeration(group.queues);
  finding.summary += is_one ? (is_all_lost ? " loses every packet" : " loses packets")
                            : (is_all_lost ? " lose every packet" : " lose packets");
  const LossWay way = loss_way(subject.destination());
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
  add_next_steps(subject, group.queues, finding);
  return finding;
}

}  // namespace

bool do_ports_agree(const Subject& subject, const QueueGroup& group) {
  const auto inside = ports_of(subject, group.queues, true);
  const auto outside = ports_of(subject, group.queues, false);
  if (inside.empty()) return true;
  std::vector<std::uint64_t> hits;
  for (const auto* part : {&inside, &outside}) {
    for (const stats::PortResult& port : *part) hits.push_back(port.lost);
  }
  const std::vector<std::uint8_t> marks = mark_ports(hits);
  const auto middle = marks.begin() + static_cast<std::ptrdiff_t>(inside.size());
  const auto marked_inside = static_cast<std::uint64_t>(std::count(marks.begin(), middle, 1));
  const auto marked = marked_inside + static_cast<std::uint64_t>(std::count(middle, marks.end(), 1));
  const double log_p = log_hypergeometric_upper({marks.size(), marked, inside.size()}, marked_inside);
  const double size = static_cast<double>(group.queues.size());
  const double price = log_choose(subject.destination().remote_queues.size(), group.queues.size()) +
                       std::log(size * (size + 1.0)) + subject.log_price();
  return log_p + price < std::log(kAlpha);
}

std::vector<Finding> find_queue_loss(const Subject& subject) {
  std::vector<Finding> findings;
  std::vector<QueueCount> counts;
  for (const stats::QueueResult& queue : subject.destination().remote_queues) {
    counts.push_back({queue.queue, queue.answered + queue.lost, queue.lost});
  }
  for (const QueueGroup& group :
       find_bad_queues(counts, {.log_alpha = std::log(kAlpha), .log_price = subject.log_price()})) {
    if (do_ports_agree(subject, group)) findings.push_back(loss_finding(subject, group));
  }
  return findings;
}

}  // namespace volley::diagnosis

// From the list of slow replies to sentences about stalls. Pure; any thread.
#include "volley/diagnosis/stall_findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "volley/diagnosis/bound_search.h"
#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/known_queues.h"
#include "volley/diagnosis/queue_ports.h"
#include "volley/diagnosis/stalls.h"
#include "volley/diagnosis/wording.h"
#include "volley/rss/flow_hasher.h"

namespace volley::diagnosis {
namespace {

constexpr double kAlpha = 1e-3;  // for what stood still, once a stall is sure
// Fewer departures than this share of the schedule inside a stall: we stood still ourselves.
constexpr double kLeastDepartures = 0.7;

struct Evidence {
  std::vector<stats::SlowReply> replies;  // of this destination, by time of sending
  std::vector<Stall> stalls;
};

std::vector<stats::SlowReply> replies_of(const Subject& subject) {
  std::vector<stats::SlowReply> replies;
  for (const stats::SlowReply& reply : subject.result.slow_replies) {
    if (reply.destination == subject.index) replies.push_back(reply);
  }
  return replies;
}

// The median deviation from what the summary has: for a normal distribution the
// ninth decile lies 1.9 of them above the median, for longer tails more.
std::int64_t median_deviation(const stats::RttSummary& rtt) {
  return static_cast<std::int64_t>(static_cast<double>(rtt.p90_ns - rtt.p50_ns) / 1.9);
}

// True if this host sent on while the target stood still. Where the timeline is
// too coarse to tell, the sender's lag must speak for it.
bool did_sender_run(const stats::RunResult& result, const Stall& stall) {
  const stats::Timeline& timeline = result.timeline;
  std::uint64_t sent = 0;
  std::size_t inside = 0;
  std::vector<std::uint64_t> usual;
  for (const stats::TimelineBin& bin : timeline.bins) {
    if (bin.sent > 0) usual.push_back(bin.sent);
    if (bin.t_ns < stall.start_ns || bin.t_ns + timeline.bin_ns > stall.end_ns) continue;
    sent += bin.sent;
    ++inside;
  }
  if (inside == 0 || usual.empty()) return result.local.sender_lag.max_ns < (stall.end_ns - stall.start_ns) / 2;
  const auto middle = usual.begin() + static_cast<std::ptrdiff_t>(usual.size() / 2);
  std::nth_element(usual.begin(), middle, usual.end());
  return static_cast<double>(sent) >= kLeastDepartures * static_cast<double>(*middle * inside);
}

Evidence gather(const Subject& subject) {
  Evidence evidence{replies_of(subject), {}};
  const stats::RttSummary& rtt = subject.destination().rtt;
  std::vector<TimedReply> timed;
  for (const stats::SlowReply& reply : evidence.replies) timed.push_back({reply.sent_ns, reply.rtt_ns});
  evidence.stalls = find_stalls(timed, {rtt.p50_ns, median_deviation(rtt), subject.plan.seed, subject.log_price()});
  std::erase_if(evidence.stalls, [&](const Stall& stall) { return !did_sender_run(subject.result, stall); });
  return evidence;
}

// --- what stood still ---

struct Place {
  std::string name;                  // "queue 2", "about 1 queue in 8", "everything"
  double log_p = 0.0;                // of the claim that it is this place
  std::vector<bool> inside;          // for each port; empty: all
  std::vector<rss::QueueId> queues;  // of the target, where known
  bool is_local = false;
};

Indicator held_by_port(const Subject& subject, const std::vector<stats::SlowReply>& held) {
  std::map<std::uint16_t, std::uint64_t> hits;
  for (const stats::SlowReply& reply : held) ++hits[reply.source_port];
  Indicator indicator{1, subject.log_price(), {}};
  for (const stats::PortResult& port : subject.destination().ports) {
    const auto place = hits.find(port.port);
    const std::uint64_t count = place == hits.end() ? 0 : place->second;
    indicator.ports.push_back({port.rtt_count, std::min(count, port.rtt_count)});
  }
  return indicator;
}

std::optional<Place> known_place(const Subject& subject, const Indicator& indicator) {
  if (!subject.plan.rss) return std::nullopt;
  const rss::FlowHasher hasher(*subject.plan.rss, flow_of(subject));
  std::map<rss::QueueId, QueueCount> counts;
  for (std::size_t i = 0; i < indicator.ports.size(); ++i) {
    const rss::QueueId queue = hasher.queue(subject.destination().ports[i].port);
    QueueCount& count = counts[queue];
    count.queue = queue;
    count.probes += indicator.ports[i].probes;
    count.hits += indicator.ports[i].hits;
  }
  std::vector<QueueCount> list;
  for (const auto& [queue, count] : counts) list.push_back(count);
  const auto groups = find_bad_queues(list, {.log_alpha = std::log(kAlpha), .log_price = subject.log_price()});
  if (groups.empty()) return std::nullopt;
  Place place{queues_text(groups.front().queues), groups.front().log_p, {}, groups.front().queues, false};
  for (const stats::PortResult& port : subject.destination().ports) {
    place.inside.push_back(std::binary_search(place.queues.begin(), place.queues.end(), hasher.queue(port.port)));
  }
  return place;
}

std::optional<Place> blind_place(const Subject& subject, const Indicator& indicator) {
  const auto search = search_ports(subject, indicator);
  if (!search || !search->is_bound() || !search->structure) return std::nullopt;
  const BlindMatch& structure = *search->structure;
  const double share = static_cast<double>(structure.inside.probes) / static_cast<double>(structure.total.probes);
  return Place{"a part of the target (" + share_text(share) + ")", search->log_p, search->inside, {}, false};
}

// A receive queue of this host, where it holds the replies better together.
std::optional<Place> local_place(const Subject& subject, const std::vector<stats::SlowReply>& held) {
  const std::vector<stats::QueueResult>& queues = subject.destination().local_queues;
  std::uint64_t answered = 0;
  for (const stats::QueueResult& queue : queues) answered += queue.answered;
  std::map<rss::QueueId, std::uint64_t> counts;
  std::uint64_t known = 0;
  for (const stats::SlowReply& reply : held) {
    if (!reply.local_queue) continue;
    ++counts[*reply.local_queue];
    ++known;
  }
  std::optional<Place> best;
  for (const stats::QueueResult& queue : queues) {
    const double share = static_cast<double>(queue.answered) / static_cast<double>(answered);
    const double log_p = log_binomial_upper(known, share, counts[queue.queue]) +
                         std::log(static_cast<double>(queues.size())) + subject.log_price();
    if (log_p > std::log(kAlpha) || (best && best->log_p <= log_p)) continue;
    best = Place{"receive queue " + std::to_string(queue.queue) + " of this host", log_p, {}, {}, true};
  }
  return best;
}

std::optional<Place> find_place(const Subject& subject, const std::vector<stats::SlowReply>& held) {
  const Indicator indicator = held_by_port(subject, held);
  std::optional<Place> place = known_place(subject, indicator);
  if (!place) place = blind_place(subject, indicator);
  std::optional<Place> local = local_place(subject, held);
  if (local && (!place || local->log_p < place->log_p)) return local;
  return place;
}

// --- sentences ---

std::uint64_t losses_inside(const Subject& subject, const std::vector<Stall>& stalls, const std::vector<bool>& inside) {
  const std::vector<stats::PortResult>& ports = subject.destination().ports;
  std::uint64_t count = 0;
  for (const stats::LostProbe& probe : subject.result.lost_probes) {
    if (probe.destination != subject.index) continue;
    const auto port = std::lower_bound(ports.begin(), ports.end(), probe.source_port,
                                       [](const auto& result, std::uint16_t number) { return result.port < number; });
    const auto index = static_cast<std::size_t>(port - ports.begin());
    if (!inside.empty() && (index >= inside.size() || !inside[index])) continue;
    count += std::any_of(stalls.begin(), stalls.end(),
                         [&](const Stall& s) { return probe.sent_ns >= s.start_ns && probe.sent_ns <= s.end_ns; })
                 ? 1U
                 : 0U;
  }
  return count;
}

// Of the probes sent while it stood still, the share that was held; 0 if unknown.
double share_held(const Subject& subject, std::size_t held, double length_ns) {
  std::uint64_t sent = 0;
  for (const stats::DestinationResult& destination : subject.result.destinations) sent += destination.sent;
  const double rate = subject.result.local.rate_achieved_pps * static_cast<double>(subject.destination().sent) /
                      std::max(1.0, static_cast<double>(sent));
  const double probes = rate * length_ns / 1e9;
  return probes < 1.0 ? 0.0 : std::min(1.0, static_cast<double>(held) / probes);
}

void describe_times(const std::vector<Stall>& stalls, Finding& finding) {
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> starts;
  for (const Stall& stall : stalls) {
    lengths.push_back(stall.end_ns - stall.start_ns);
    starts.push_back(stall.start_ns);
  }
  std::vector<std::int64_t> sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  const std::int64_t middle = sorted[sorted.size() / 2];
  finding.summary += stalls.size() == 1 ? " for " : ": " + plural(stalls.size(), "time") + " ";
  finding.summary += time_text(middle);
  if (stalls.size() > 1) finding.summary += " (" + time_range_text(sorted.front(), sorted.back()) + ")";
  const auto period = find_period(stalls);
  if (period) finding.summary += ", every " + time_text(period->period_ns);
  constexpr std::size_t kStartsShown = 8;
  std::string sentence = stalls.size() == 1 ? "it began " : "they began ";
  for (std::size_t i = 0; i < std::min(starts.size(), kStartsShown); ++i) {
    sentence += (i == 0 ? "" : ", ") + time_text(starts[i]);
  }
  finding.details.push_back(sentence + (starts.size() > kStartsShown ? ", ..." : "") + " into the run");
  finding.evidence.emplace_back("count", static_cast<std::int64_t>(stalls.size()));
  finding.evidence.emplace_back("length_min_ns", sorted.front());
  finding.evidence.emplace_back("length_median_ns", middle);
  finding.evidence.emplace_back("length_max_ns", sorted.back());
  if (period) finding.evidence.emplace_back("period_ns", period->period_ns);
  finding.evidence.emplace_back("starts_ns", starts);
  finding.evidence.emplace_back("lengths_ns", lengths);
}

void describe_place(const Subject& subject, const Place& place, double share, Finding& finding) {
  finding.evidence.emplace_back("where", place.name);
  finding.evidence.emplace_back("share", share);
  if (!place.queues.empty()) {
    finding.evidence.emplace_back("queues", std::vector<std::int64_t>(place.queues.begin(), place.queues.end()));
  }
  if (place.is_local) {
    finding.details.emplace_back("the target did not stand still: a CPU of this host took its packets late");
    finding.next_steps.emplace_back("look on this host: /proc/interrupts, /proc/net/softnet_stat");
    return;
  }
  if (!place.inside.empty()) finding.details.emplace_back("the other flows ran on; " + p_text(place.log_p));
  finding.details.emplace_back(
      "a CPU that is kept from its softirq looks like this: interrupts off, a long system call, a busy neighbour; "
      "so does a burst of other traffic ahead in its queue");
  constexpr std::size_t kPortsShown = 4;
  for (std::size_t i = 0; i < place.inside.size() && finding.ports.size() < kPortsShown; ++i) {
    if (place.inside[i]) finding.ports.push_back(subject.destination().ports[i].port);
  }
  finding.next_steps.push_back(
      "look on " + host_text(subject) +
      ": /proc/net/softnet_stat (third column: squeezed), what runs on that CPU at these times");
}

}  // namespace

StallReport examine_stalls(const Subject& subject) {
  StallReport report;
  const Evidence evidence = gather(subject);
  if (evidence.stalls.empty()) return report;
  std::size_t fewest = evidence.replies.size();
  std::size_t most = 0;
  double log_p = 0.0;
  double length_ns = 0.0;
  for (const Stall& stall : evidence.stalls) {
    for (const std::size_t member : stall.members) report.held.push_back(evidence.replies[member]);
    fewest = std::min(fewest, stall.members.size());
    most = std::max(most, stall.members.size());
    log_p = std::min(log_p, stall.log_p);
    length_ns += static_cast<double>(stall.end_ns - stall.start_ns);
  }
  const double share = share_held(subject, report.held.size(), length_ns);
  const Place place = find_place(subject, report.held).value_or(Place{"the target or the path", 0.0, {}, {}, false});
  Finding finding = make_finding(subject, FindingKind::stall, Severity::warning);
  finding.summary = place.name + (place.queues.size() > 1 ? " stand still" : " stands still");
  describe_times(evidence.stalls, finding);
  finding.details.push_back(
      "replies to " + (fewest == most ? std::to_string(most) : std::to_string(fewest) + " to " + std::to_string(most)) +
      " probes were released at one moment; " + p_text(log_p));
  const std::uint64_t lost = losses_inside(subject, evidence.stalls, place.inside);
  if (lost > 0) finding.details.push_back(plural(lost, "probe") + " sent meanwhile got lost");
  finding.p_value = p_value(log_p);
  finding.evidence.emplace_back("lost_inside", static_cast<std::int64_t>(lost));
  describe_place(subject, place, share, finding);
  report.findings.push_back(std::move(finding));
  return report;
}

}  // namespace volley::diagnosis

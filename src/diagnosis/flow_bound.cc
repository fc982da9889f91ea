// Sentences about loss and slowness that follow the flow, or don't. Pure; any thread.
#include "volley/diagnosis/flow_bound.h"

#include <algorithm>
#include <cmath>

#include "volley/diagnosis/direction.h"
#include "volley/diagnosis/known_key_search.h"
#include "volley/diagnosis/mixture.h"
#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

constexpr std::size_t kPortsShown = 4;
// Without a second round (STATISTICS section 6): so many losses, and a score below 0.
constexpr std::uint64_t kFewestForUniform = 60;

std::string hits_text(const Indicator& indicator, const HitCount& count) {
  return part_of(count.hits, count.probes) + (indicator.is_loss() ? " lost" : " slow") + " (" +
         percent_with_interval(count.hits, count.probes) + ")";
}

std::vector<stats::PortResult> ports_where(const Subject& subject, const std::vector<bool>& inside, bool value) {
  std::vector<stats::PortResult> ports;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == value) ports.push_back(subject.destination().ports[i]);
  }
  return ports;
}

// Ports of the bad part, those with most hits first; ascending.
std::vector<std::uint16_t> shown_ports(const Subject& subject, const Indicator& indicator,
                                       const std::vector<bool>& inside) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i]) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return indicator.ports[a].hits > indicator.ports[b].hits; });
  order.resize(std::min(order.size(), kPortsShown));
  std::vector<std::uint16_t> ports;
  for (const std::size_t i : order) ports.push_back(subject.destination().ports[i].port);
  std::sort(ports.begin(), ports.end());
  return ports;
}

std::string comma_list(const std::vector<std::uint16_t>& ports) {
  std::string text = port_list(ports);
  std::replace(text.begin(), text.end(), ' ', ',');
  return text;
}

void add_steps(const Subject& subject, const Indicator& indicator, const BoundSearch& search, Finding& finding) {
  finding.ports = shown_ports(subject, indicator, search.inside);
  const auto sound = sound_ports(ports_where(subject, search.inside, false), kPortsShown);
  finding.next_steps.push_back("try " + probe_command(subject, "--source-ports " + comma_list(finding.ports)));
  if (!sound.empty()) {
    finding.next_steps.push_back("try " + probe_command(subject, "--source-ports " + comma_list(sound)) +
                                 "   (sound ones, to compare)");
  }
  if (!subject.plan.rss) {
    finding.next_steps.push_back("look which queue: ssh " + host_text(subject) + " ethtool -x DEV | " +
                                 probe_command(subject, "--rss -"));
  }
  finding.next_steps.push_back("look on " + host_text(subject) +
                               ": ethtool -S DEV (rx missed, no buffer, drop); /proc/net/softnet_stat");
}

void add_structure(const Subject& subject, const Indicator& indicator, const BoundSearch& search, Finding& finding) {
  const BlindMatch& structure = *search.structure;
  const double share = static_cast<double>(structure.inside.probes) / static_cast<double>(structure.total.probes);
  const HitCount inside = count_where(indicator, search.inside, true);
  const HitCount outside = count_where(indicator, search.inside, false);
  const std::string what = indicator.is_loss() ? "loss" : "slowness";
  finding.summary = what + " follows the flow's hash: " + share_text(share);
  finding.details.push_back(part_of(inside.hits, inside.hits + outside.hits) +
                            (indicator.is_loss() ? " losses" : " replies over " + time_text(indicator.slow_above_ns)) +
                            " fall on " + part_of(structure.inside.probes, structure.total.probes) +
                            " source ports that a linear hash of " + plural(structure.index_bits(), "bit") +
                            " puts together; " + p_text(search.log_p));
  std::string rates = "there " + hits_text(indicator, inside) + ", elsewhere " + hits_text(indicator, outside);
  if (indicator.is_loss()) {
    const LossWay way = loss_way(ports_where(subject, search.inside, true), subject.destination());
    if (way != LossWay::unknown) rates += "; " + way_text(way);
    finding.evidence.emplace_back("direction", way_key(way));
  }
  finding.details.push_back(std::move(rates));
  finding.details.emplace_back(
      "this is how one receive queue of the target behaves, or a member of a link group before it");
  finding.evidence.emplace_back("share", share);
  finding.evidence.emplace_back("index_bits", static_cast<std::int64_t>(structure.index_bits()));
  finding.evidence.emplace_back("bad_ports", static_cast<std::int64_t>(structure.inside.probes));
  finding.evidence.emplace_back("structure_p", p_value(indicator.log_price - structure.score));
}

void add_mixture(const Subject& subject, const Indicator& indicator, const BoundSearch& search, Finding& finding) {
  const Mixture mixture = fit_mixture(indicator.ports);
  const HitCount total = indicator.total();
  const std::string what = indicator.is_loss() ? "loss" : "slowness";
  finding.summary = what + " follows the flow: " + percent(mixture.share) + " of the flows have it";
  finding.details.push_back(hits_text(indicator, total) + ", bound to the source port; " + p_text(search.log_p));
  finding.details.push_back("no linear hash puts the bad ports together: " + percent(mixture.share) +
                            " of the ports (95 %: " + interval_text(mixture.share_interval) + ") have a rate of " +
                            percent(mixture.bad_rate) + ", the rest " + percent(mixture.base_rate));
  finding.details.emplace_back(
      subject.plan.rss ? "it is bound to the flow, not to the target's RSS: a link group, equal-cost paths, or a "
                         "hypervisor's queue"
                       : "this is how a member of a link group, one of several paths, or steering in software behaves");
  finding.evidence.emplace_back("share", mixture.share);
  finding.evidence.emplace_back("share_ci95_low", mixture.share_interval.low);
  finding.evidence.emplace_back("share_ci95_high", mixture.share_interval.high);
  finding.evidence.emplace_back("bad_rate", mixture.bad_rate);
  finding.evidence.emplace_back("base_rate", mixture.base_rate);
}

// A published key that the ports agree with is a hint, not yet a name: a second
// round on other ports would have to confirm it.
void add_key(const Subject& subject, const Indicator& indicator, const BoundSearch& search, Finding& finding) {
  const auto match = find_known_key(subject, indicator, search);
  if (!match) return;
  const bool is_plain = !match->is_reversed && match->transform == rss::InputTransform::none &&
                        match->initial_hash == 0 && match->fill == rss::TableFill::modulo;
  finding.details.push_back("the ports agree with the published key " + match->key_name +
                            (match->is_reversed ? ", its bytes reversed" : "") + ": then it is queue " +
                            std::to_string(match->queue) + " of " + std::to_string(match->queues) +
                            " (a random key would agree with a chance of " + percent(match->chance) + ")");
  if (is_plain) {
    const std::string options = "--rss-key " + match->key_name + " --rss-queues " + std::to_string(match->queues);
    finding.next_steps.push_back("try " + probe_command(subject, options) + "   (would confirm the key)");
  }
  finding.evidence.emplace_back("agrees_with_key", match->key_name);
  finding.evidence.emplace_back("agrees_with_queue", static_cast<std::int64_t>(match->queue));
  finding.evidence.emplace_back("agrees_with_queues", static_cast<std::int64_t>(match->queues));
  finding.evidence.emplace_back("random_key_chance", match->chance);
}

}  // namespace

Finding make_flow_bound_finding(const Subject& subject, const Indicator& indicator, const BoundSearch& search) {
  Finding finding =
      make_finding(subject, indicator.is_loss() ? FindingKind::flow_bound_loss : FindingKind::flow_bound_slow,
                   indicator.is_loss() ? Severity::critical : Severity::warning);
  finding.p_value = p_value(search.log_p);
  const HitCount inside = count_where(indicator, search.inside, true);
  const HitCount outside = count_where(indicator, search.inside, false);
  const auto add = [&](const char* name, std::uint64_t value) {
    finding.evidence.emplace_back(name, static_cast<std::int64_t>(value));
  };
  if (indicator.is_loss()) {
    add("lost", inside.hits);
    add("sent", inside.probes);
    add("others_lost", outside.hits);
    add("others_sent", outside.probes);
  } else {
    add("threshold_ns", static_cast<std::uint64_t>(indicator.slow_above_ns));
    add("slow", inside.hits);
    add("answered", inside.probes);
    add("others_slow", outside.hits);
    add("others_answered", outside.probes);
  }
  finding.evidence.emplace_back("linear", std::string(search.structure ? "yes" : "no"));
  if (search.structure) {
    add_structure(subject, indicator, search, finding);
  } else {
    add_mixture(subject, indicator, search, finding);
  }
  add_steps(subject, indicator, search, finding);
  if (search.structure) add_key(subject, indicator, search, finding);
  return finding;
}

std::optional<Finding> find_uniform_loss(const Subject& subject, const std::optional<BoundSearch>& search) {
  if (!search || search->match.total.hits < kFewestForUniform || search->match.score > 0.0) return std::nullopt;
  const stats::DestinationResult& destination = subject.destination();
  const std::uint64_t probes = destination.answered + destination.lost;
  Finding finding = make_finding(subject, FindingKind::uniform_loss, Severity::warning);
  finding.summary = "loss falls on all flows alike";
  const LossWay way = loss_way(destination);
  std::string sentence = part_of(destination.lost, probes) + " probes lost (" +
                         percent_with_interval(destination.lost, probes) +
                         "), and no part of the source ports more than others";
  if (way != LossWay::unknown) sentence += "; " + way_text(way);
  finding.details.push_back(std::move(sentence));
  finding.details.emplace_back(
      "no single queue or link does this: look for a link, a policer or a queue that all flows share");
  finding.evidence.emplace_back("lost", static_cast<std::int64_t>(destination.lost));
  finding.evidence.emplace_back("sent", static_cast<std::int64_t>(probes));
  finding.evidence.emplace_back("loss_ratio", static_cast<double>(destination.lost) / static_cast<double>(probes));
  finding.evidence.emplace_back("direction", way_key(way));
  return finding;
}

}  // namespace volley::diagnosis

// Limits of what was measured. Pure; any thread.
#include "volley/diagnosis/shortage.h"

#include <cmath>

#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

bool has_many_flows(const Subject& subject) {
  return subject.destination().source_ports_used > 1;
}

std::size_t queues_assumed(const probe::ProbePlan& plan) {
  constexpr std::size_t kTypicalQueues = 8;
  const std::size_t known = plan.rss ? plan.rss->queue_count() : 0;
  return known > 1 ? known : kTypicalQueues;
}

}  // namespace

std::uint64_t further_probes(std::uint64_t probes, std::uint64_t losses) {
  if (losses == 0 || losses >= kLossesNeeded) return probes;
  const double factor = static_cast<double>(kLossesNeeded) / static_cast<double>(losses) - 1.0;
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(probes) * factor));
}

std::optional<Finding> find_shortage(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  const std::uint64_t probes = destination.answered + destination.lost;
  if (destination.lost == 0 || destination.answered == 0 || !has_many_flows(subject)) return std::nullopt;
  const std::uint64_t more = further_probes(probes, destination.lost);
  Finding finding = make_finding(subject, FindingKind::not_enough_probes, Severity::info);
  finding.summary =
      part_of(destination.lost, probes) + " probes lost: too few to say whether the loss follows the flow";
  const double rate = subject.plan.rate_pps / static_cast<double>(subject.result.destinations.size());
  std::string sentence = "about " + plural(more, "more probe") + " at this loss would tell";
  if (rate > 0.0) {
    const double seconds = std::ceil(static_cast<double>(more + destination.sent) / rate);
    sentence += ": a run of " + std::to_string(static_cast<std::int64_t>(seconds)) + " s at this rate";
    finding.next_steps.push_back(
        "try " + probe_command(subject, "-d " + std::to_string(static_cast<std::int64_t>(seconds)) + "s"));
  } else {
    finding.next_steps.push_back("try " + probe_command(subject, "-c " + std::to_string(more + destination.sent)));
  }
  finding.details.push_back(sentence);
  finding.evidence.emplace_back("lost", static_cast<std::int64_t>(destination.lost));
  finding.evidence.emplace_back("sent", static_cast<std::int64_t>(destination.sent));
  finding.evidence.emplace_back("more_probes", static_cast<std::int64_t>(more));
  return finding;
}

std::string would_have_shown(const probe::ProbePlan& plan, const stats::DestinationResult& destination) {
  // Loss of one of Q queues that is so large that a run of this length would
  // see none of it with a chance of 5 % at most, whichever queue it is.
  constexpr double kMiss = 0.05;
  // Above this a statement is no longer one about "rare" loss.
  constexpr double kLargestRatio = 0.5;
  if (destination.lost > 0 || destination.answered == 0 || destination.source_ports_used < 2) return {};
  const std::size_t queues = queues_assumed(plan);
  const double probes = static_cast<double>(destination.answered) / static_cast<double>(queues);
  const double ratio = -std::expm1(std::log(kMiss / static_cast<double>(queues)) / probes);
  if (ratio > kLargestRatio) return {};
  return "at this length a queue (1 of " + std::to_string(queues) + ") losing " + percent(ratio) +
         " or more would have shown";
}

}  // namespace volley::diagnosis

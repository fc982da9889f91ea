// The finding about a silent destination. Pure; any thread.
#include "volley/diagnosis/no_answer.h"

#include <algorithm>

#include "volley/diagnosis/wording.h"
#include "volley/wire/icmp_names.h"

namespace volley::diagnosis {
namespace {

using probe::Protocol;

// Answers that came, though not to any probe in time.
std::uint64_t signs_of_life(const stats::DestinationResult& destination) {
  return destination.direction.reverse + destination.stale_half_open;
}

bool does_address_answer_elsewhere(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  return std::any_of(subject.result.destinations.begin(), subject.result.destinations.end(),
                     [&](const auto& other) { return other.address == destination.address && other.answered > 0; });
}

std::string meaning_of_silence(const Subject& subject) {
  if (does_address_answer_elsewhere(subject)) {
    return "other ports of this address answer: the host is up, and a firewall drops this port";
  }
  switch (subject.plan.protocol) {
    case Protocol::tcp:
      return "it is down, or a firewall drops: a closed port would have answered with a reset";
    case Protocol::udp:
      return "it is down, a firewall drops, or the service does not answer this payload: a closed port would have said "
             "so";
    case Protocol::icmp:
      return "it is down, or ICMP echo is filtered";
  }
  return {};
}

void add_errors(const Subject& subject, Finding& finding) {
  std::vector<stats::UnreachableCount> errors = subject.destination().replies.unreachable;
  std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  constexpr std::size_t kMostErrors = 3;
  errors.resize(std::min(errors.size(), kMostErrors));
  std::int64_t total = 0;
  for (const stats::UnreachableCount& error : errors) {
    const std::string name(wire::icmp_name(error.what.from.family, error.what.type, error.what.code));
    finding.details.push_back(wire::to_string(error.what.from) + " says " + name + ", " + plural(error.count, "time"));
    total += static_cast<std::int64_t>(error.count);
  }
  if (total > 0) finding.evidence.emplace_back("icmp_errors", total);
}

void add_next_steps(const Subject& subject, Finding& finding) {
  const stats::DestinationResult& destination = subject.destination();
  const std::string host = target_argument(destination, Protocol::icmp);
  if (destination.late > 0) {
    finding.next_steps.push_back("try " + probe_command(subject, "--timeout 5s"));
    return;
  }
  if (subject.plan.protocol != Protocol::icmp) {
    finding.next_steps.push_back("try sudo volley probe --icmp -c 20 " + host);
  } else {
    finding.next_steps.push_back("try sudo volley probe -c 20 " + host);
  }
}

}  // namespace

std::optional<Finding> find_no_answer(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  if (destination.answered > 0 || destination.lost + destination.stale_half_open == 0) return std::nullopt;
  Finding finding = make_finding(subject, FindingKind::no_answer, Severity::critical);
  finding.summary = "no answer from " + destination_text(subject);
  finding.evidence.emplace_back("sent", static_cast<std::int64_t>(destination.sent));
  finding.evidence.emplace_back("late", static_cast<std::int64_t>(destination.late));
  const std::size_t facts = finding.details.size();
  add_errors(subject, finding);
  if (destination.late > 0) {
    finding.summary += " within the timeout of " + time_text(subject.plan.timeout.count());
    finding.details.push_back(part_of(destination.late, destination.sent) + " answers came later than that");
  }
  if (signs_of_life(destination) > 0) {
    finding.details.push_back("the target did answer: " + plural(signs_of_life(destination), "probe") +
                              " reached it, and the first answers were lost on the way back");
    finding.evidence.emplace_back("reverse", static_cast<std::int64_t>(destination.direction.reverse));
  }
  if (finding.details.size() == facts) {
    if (subject.plan.protocol == Protocol::tcp) finding.summary += ": not even a reset";
    finding.details.push_back(meaning_of_silence(subject));
  }
  add_next_steps(subject, finding);
  return finding;
}

}  // namespace volley::diagnosis

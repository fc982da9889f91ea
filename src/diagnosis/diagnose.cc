// The table of checks and the order in which they speak (STATISTICS section 6):
// what this host did itself, silence, limits, then loss, stalls and slowness bound
// to queues or flows, then what can't be said. Pure; any thread.
#include "volley/diagnosis/diagnose.h"

#include <algorithm>
#include <array>

#include "volley/diagnosis/bound_findings.h"
#include "volley/diagnosis/direction.h"
#include "volley/diagnosis/local_drops.h"
#include "volley/diagnosis/no_answer.h"
#include "volley/diagnosis/reply_limit.h"
#include "volley/diagnosis/shortage.h"
#include "volley/diagnosis/stall_findings.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {
namespace {

std::vector<Finding> as_list(std::optional<Finding> finding) {
  std::vector<Finding> list;
  if (finding) list.push_back(std::move(*finding));
  return list;
}

// When a check may speak.
enum class Precondition : std::uint8_t {
  always,
  // Not after a finding about the loss of the same destination, and not if this
  // host's own drops may explain it.
  loss_unexplained,
};

struct Check {
  Precondition precondition = Precondition::always;
  std::vector<Finding> (*run)(const Subject& subject, const StallReport& stalls) = nullptr;
};

constexpr std::array kChecks{
    Check{Precondition::always, [](const Subject& s, const StallReport&) { return as_list(find_no_answer(s)); }},
    Check{Precondition::always, [](const Subject& s, const StallReport&) { return as_list(find_reply_limit(s)); }},
    Check{Precondition::loss_unexplained, [](const Subject& s, const StallReport&) { return find_bound_loss(s); }},
    Check{Precondition::always, [](const Subject&, const StallReport& stalls) { return stalls.findings; }},
    Check{Precondition::always,
          [](const Subject& s, const StallReport& stalls) { return find_bound_slow(s, stalls.held); }},
    Check{Precondition::loss_unexplained,
          [](const Subject& s, const StallReport&) { return as_list(find_loss_direction(s)); }},
    Check{Precondition::loss_unexplained,
          [](const Subject& s, const StallReport&) { return as_list(find_shortage(s)); }},
};

bool explains_loss(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::queue_loss:
    case FindingKind::flow_bound_loss:
    case FindingKind::rss_mismatch:
    case FindingKind::uniform_loss:
    case FindingKind::reply_limited:
    case FindingKind::no_answer:
      return true;
    case FindingKind::queue_slow:
    case FindingKind::flow_bound_slow:
    case FindingKind::stall:
    case FindingKind::local_drops:
    case FindingKind::loss_direction:
    case FindingKind::not_enough_probes:
      return false;
  }
  return false;
}

bool is_met(Precondition precondition, const Subject& subject, const std::vector<Finding>& so_far) {
  switch (precondition) {
    case Precondition::always:
      return true;
    case Precondition::loss_unexplained:
      return !are_losses_in_doubt(subject.result, subject.destination()) &&
             std::none_of(so_far.begin(), so_far.end(), explains_loss);
  }
  return false;
}

}  // namespace

std::vector<Finding> diagnose(const probe::ProbePlan& plan, const stats::RunResult& result) {
  std::vector<Finding> findings = as_list(find_local_drops(plan, result));
  for (std::uint32_t index = 0; index < result.destinations.size(); ++index) {
    const Subject subject{plan, result, index};
    const StallReport stalls = examine_stalls(subject);
    std::vector<Finding> own;
    for (const Check& check : kChecks) {
      if (!is_met(check.precondition, subject, own)) continue;
      for (Finding& finding : check.run(subject, stalls)) own.push_back(std::move(finding));
    }
    std::move(own.begin(), own.end(), std::back_inserter(findings));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  return findings;
}

}  // namespace volley::diagnosis

// The finding about this host's own drops. Pure; any thread.
#include "volley/diagnosis/local_drops.h"

#include <array>
#include <string_view>

#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

using probe::NotSentReason;

struct Reason {
  NotSentReason reason;
  std::string_view key;       // in the evidence
  std::string_view sentence;  // after the count
  std::string_view step;      // what to look at or to try; {} stands for the interface
};

constexpr std::array<Reason, 7> kReasons{{
    {NotSentReason::no_buffer, "no_buffer", "refused for want of buffer space: the interface's queue is full",
     "look tc -s qdisc show dev {}"},
    {NotSentReason::not_permitted, "not_permitted", "not permitted: a firewall of this host drops them",
     "look nft list ruleset; iptables -nvL OUTPUT"},
    {NotSentReason::no_route, "no_route", "without a route, or with the interface down",
     "look ip route; ip link show dev {}"},
    {NotSentReason::too_big, "too_big", "larger than the path MTU that this host knows", "try a smaller --size"},
    {NotSentReason::other_error, "other_error", "refused by the kernel for another reason", "look dmesg"},
    {NotSentReason::not_departed, "not_departed", "written, but never seen leaving: a queueing discipline dropped them",
     "look tc -s qdisc show dev {}"},
    {NotSentReason::table_full, "table_full", "held back, since too many probes were in flight",
     "try a lower --rate or a shorter --timeout"},
}};

std::string with_interface(std::string_view text, const probe::ProbePlan& plan) {
  std::string filled(text);
  const std::size_t place = filled.find("{}");
  if (place == std::string::npos) return filled;
  const std::string name = plan.destinations.empty() ? std::string() : plan.destinations.front().interface_name;
  return filled.replace(place, 2, name.empty() ? "DEV" : name);
}

}  // namespace

std::optional<Finding> find_local_drops(const probe::ProbePlan& plan, const stats::RunResult& result) {
  const stats::LocalResult& local = result.local;
  std::uint64_t sent = 0;
  std::uint64_t not_sent = 0;
  for (const stats::DestinationResult& destination : result.destinations) {
    sent += destination.sent;
    not_sent += destination.not_sent;
  }
  if (not_sent == 0 && local.capture_drops == 0 && local.interface_drops == 0) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::local_drops;
  finding.severity = sent == 0 ? Severity::critical : Severity::warning;
  if (not_sent > 0) {
    finding.summary = "this host did not send " + part_of(not_sent, sent + not_sent) + " probes";
    finding.details.push_back("they count as not sent, not as lost");
  } else if (local.capture_drops > 0) {
    finding.summary = "the capture of this host dropped " + plural(local.capture_drops, "frame");
  } else {
    finding.summary = "the interface of this host dropped " + plural(local.interface_drops, "frame");
  }
  finding.evidence.emplace_back("not_sent", static_cast<std::int64_t>(not_sent));
  for (const Reason& reason : kReasons) {
    const std::uint64_t count = local.not_sent[static_cast<std::size_t>(reason.reason)];
    if (count == 0) continue;
    finding.details.push_back(std::to_string(count) + " " + std::string(reason.sentence));
    const std::string step = with_interface(reason.step, plan);
    if (finding.next_steps.empty() || finding.next_steps.back() != step) finding.next_steps.push_back(step);
    finding.evidence.emplace_back(std::string(reason.key), static_cast<std::int64_t>(count));
  }
  if (local.capture_drops > 0) {
    finding.details.push_back("the capture dropped " + plural(local.capture_drops, "frame") +
                              ": loss is an upper bound");
    finding.next_steps.emplace_back("try a lower --rate, or a machine with more idle CPU");
    finding.evidence.emplace_back("capture_drops", static_cast<std::int64_t>(local.capture_drops));
  }
  if (local.interface_drops > 0) {
    finding.details.push_back("the interface dropped " + plural(local.interface_drops, "frame") +
                              " on its way in: loss is an upper bound");
    finding.next_steps.push_back(with_interface("look ethtool -S {} (rx missed, no buffer, drop)", plan));
    finding.evidence.emplace_back("interface_drops", static_cast<std::int64_t>(local.interface_drops));
  }
  return finding;
}

bool are_losses_in_doubt(const stats::RunResult& result, const stats::DestinationResult& destination) {
  const std::uint64_t dropped = result.local.capture_drops + result.local.interface_drops;
  return dropped > 0 && dropped >= destination.lost / 10;
}

}  // namespace volley::diagnosis

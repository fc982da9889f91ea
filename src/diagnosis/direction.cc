// The direction of loss. Pure; any thread.
#include "volley/diagnosis/direction.h"

#include <algorithm>
#include <cmath>

#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

// Fewer losses than these say nothing about the way.
constexpr std::uint64_t kFewestLosses = 5;
// Resets that were lost on the way there: two, since one may be chance of timing.
constexpr std::uint64_t kFewestLostResets = 2;

// Loss of one packet on the way back, from resent : first. With two resends
// awaited the ratio is v + v^2, with one it is v.
double back_from_odds(double odds, int resends) {
  return std::min(1.0, resends <= 1 ? odds : (std::sqrt(1.0 + 4.0 * odds) - 1.0) / 2.0);
}

double there_from(double none_ratio, double back, int resends) {
  const double all_lost = std::pow(back, resends + 1);
  if (all_lost >= 1.0) return 0.0;
  return std::clamp((none_ratio - all_lost) / (1.0 - all_lost), 0.0, 1.0);
}

double odds_of(double share) {
  return share >= 1.0 ? 1e9 : share / (1.0 - share);
}

DirectionCounts counts_of(const stats::DestinationResult& destination) {
  return {destination.answered, destination.direction.reverse, destination.lost - destination.direction.reverse, 2};
}

bool does_target_resend(const stats::DestinationResult& destination) {
  return destination.direction.reverse > 0 || destination.replies.syn_ack_resent > 0 ||
         destination.replies.reset_resent >= kFewestLostResets;
}

LossWay way_of(const DirectionCounts& counts, bool is_resend_proven) {
  const std::uint64_t lost = counts.resent + counts.none;
  // Where nothing at all comes back, resent answers don't either.
  if (lost < kFewestLosses || counts.first == 0 || !is_resend_proven) return LossWay::unknown;
  if (counts.resent == 0) return LossWay::there;
  const auto estimate = estimate_direction(counts);
  if (!estimate) return LossWay::unknown;
  // A few packets may well be lost the other way; a way is worth a word where
  // a tenth of the losses happened on it.
  const double losses = static_cast<double>(lost);
  const double lost_there = estimate->there.value * (static_cast<double>(counts.first) + losses);
  const bool is_lost_there = estimate->there.interval.low > 0.0 && lost_there >= 0.1 * losses;
  const bool is_lost_back = static_cast<double>(counts.resent) >= 0.1 * losses;
  if (is_lost_there && is_lost_back) return LossWay::both;
  return is_lost_there ? LossWay::there : LossWay::back;
}

std::string estimate_text(const RatioEstimate& estimate) {
  return percent(estimate.value) + " (95 %: " + interval_text(estimate.interval) + ")";
}

}  // namespace

std::optional<DirectionEstimate> estimate_direction(const DirectionCounts& counts) {
  const std::uint64_t reached = counts.first + counts.resent;
  if (counts.first == 0) return std::nullopt;
  const std::uint64_t all = reached + counts.none;
  const int resends = counts.resends_awaited;
  const Interval share = clopper_pearson(counts.resent, reached);
  const Interval none = clopper_pearson(counts.none, all);
  DirectionEstimate estimate;
  estimate.back.value = back_from_odds(static_cast<double>(counts.resent) / static_cast<double>(counts.first), resends);
  estimate.back.interval = {back_from_odds(odds_of(share.low), resends), back_from_odds(odds_of(share.high), resends)};
  estimate.there.value =
      there_from(static_cast<double>(counts.none) / static_cast<double>(all), estimate.back.value, resends);
  estimate.there.interval = {there_from(none.low, estimate.back.interval.high, resends),
                             there_from(none.high, estimate.back.interval.low, resends)};
  return estimate;
}

LossWay loss_way(const stats::DestinationResult& destination) {
  return way_of(counts_of(destination), does_target_resend(destination));
}

LossWay loss_way(const std::vector<stats::PortResult>& ports, const stats::DestinationResult& destination) {
  DirectionCounts counts;
  for (const stats::PortResult& port : ports) {
    counts.first += port.answered;
    counts.resent += port.reverse;
    counts.none += port.lost - port.reverse;
  }
  return way_of(counts, does_target_resend(destination));
}

std::string way_text(LossWay way) {
  switch (way) {
    case LossWay::there:
      return "lost on the way there";
    case LossWay::back:
      return "lost on the way back";
    case LossWay::both:
      return "lost on both ways";
    case LossWay::unknown:
      return {};
  }
  return {};
}

std::string way_key(LossWay way) {
  switch (way) {
    case LossWay::there:
      return "there";
    case LossWay::back:
      return "back";
    case LossWay::both:
      return "both";
    case LossWay::unknown:
      return "unknown";
  }
  return {};
}

std::optional<Finding> find_loss_direction(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  if (subject.plan.protocol != probe::Protocol::tcp) return std::nullopt;
  const LossWay way = loss_way(destination);
  const auto estimate = estimate_direction(counts_of(destination));
  if (way == LossWay::unknown || !estimate) return std::nullopt;
  Finding finding = make_finding(subject, FindingKind::loss_direction, Severity::info);
  switch (way) {
    case LossWay::there:
      finding.summary = "packets are lost on the way there";
      break;
    case LossWay::back:
      finding.summary = "packets are lost on the way back";
      break;
    case LossWay::both:
    case LossWay::unknown:
      finding.summary = "packets are lost on both ways";
      break;
  }
  finding.details.push_back("on the way there " + estimate_text(estimate->there) + " of the packets, on the way back " +
                            estimate_text(estimate->back));
  finding.details.push_back(part_of(destination.direction.reverse, destination.lost) +
                            " lost probes had reached the target: it sent its SYN-ACK again");
  const auto add = [&](const char* name, double value) { finding.evidence.emplace_back(name, value); };
  add("there_ratio", estimate->there.value);
  add("there_ci95_low", estimate->there.interval.low);
  add("there_ci95_high", estimate->there.interval.high);
  add("back_ratio", estimate->back.value);
  add("back_ci95_low", estimate->back.interval.low);
  add("back_ci95_high", estimate->back.interval.high);
  finding.evidence.emplace_back("reverse", static_cast<std::int64_t>(destination.direction.reverse));
  finding.evidence.emplace_back("resets_lost", static_cast<std::int64_t>(destination.replies.reset_resent));
  return finding;
}

}  // namespace volley::diagnosis

// Counting one destination's outcomes, amendments and strays. Receiver thread only.
//
// Invariant: nothing here is ever taken back. What only a wrong sequence of
// amendments could break (late and reverse within lost) is bounded in the result.
#include "volley/stats/destination_record.h"

#include <algorithm>

#include "volley/stats/interval.h"

namespace volley::stats {

namespace {

constexpr std::size_t index_of(probe::ReplyKind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

void DestinationRecord::record(const probe::Outcome& outcome) {
  switch (outcome.verdict) {
    case probe::Verdict::answered:
      record_answer(outcome);
      break;
    case probe::Verdict::lost:
      ++lost_;
      if (outcome.sign == probe::LossSign::reverse) ++reverse_;
      if (outcome.unreachable) record_unreachable(*outcome.unreachable);
      break;
    case probe::Verdict::not_sent:
      ++not_sent_;
      break;
    case probe::Verdict::stale_half_open:
      ++stale_half_open_;
      break;
    case probe::Verdict::in_flight:
      ++in_flight_;
      break;
  }
}

void DestinationRecord::record_answer(const probe::Outcome& outcome) {
  ++answered_;
  ++replies_[index_of(outcome.reply)];
  if (outcome.reordered) ++reordered_;
  if (outcome.reply_ttl != 0) {
    reply_ttl_min_ = reply_ttl_min_ == 0 ? outcome.reply_ttl : std::min(reply_ttl_min_, outcome.reply_ttl);
    reply_ttl_max_ = std::max(reply_ttl_max_, outcome.reply_ttl);
  }
  if (!outcome.rtt_ns) {
    ++answered_without_rtt_;
    return;
  }
  rtt_.record(*outcome.rtt_ns);
  jitter_.record(*outcome.rtt_ns);
  slow_floor_.update(rtt_);
}

void DestinationRecord::amend(const probe::Amendment& amendment) {
  switch (amendment.kind) {
    case probe::AmendmentKind::late:
      ++late_;
      break;
    case probe::AmendmentKind::reverse:
      ++reverse_;
      break;
    case probe::AmendmentKind::unreachable:
      if (amendment.unreachable) record_unreachable(*amendment.unreachable);
      break;
  }
}

void DestinationRecord::record(probe::StrayKind kind) {
  switch (kind) {
    case probe::StrayKind::duplicate:
      ++duplicates_;
      break;
    case probe::StrayKind::syn_ack_resent:
      ++syn_ack_resent_;
      break;
    case probe::StrayKind::reset_resent:
      ++reset_resent_;
      break;
  }
}

void DestinationRecord::record_unreachable(const probe::Unreachable& what) {
  const auto end = unreachable_.begin() + static_cast<std::ptrdiff_t>(unreachable_kinds_);
  const auto known =
      std::find_if(unreachable_.begin(), end, [&](const UnreachableCount& count) { return count.what == what; });
  if (known != end) {
    ++known->count;
  } else if (unreachable_kinds_ < unreachable_.size()) {
    unreachable_[unreachable_kinds_++] = {.what = what, .count = 1};
  } else {
    ++unreachable_unlisted_;
  }
}

LossDirection DestinationRecord::direction() const {
  LossDirection direction;
  direction.reverse = std::min(reverse_, lost_);
  const std::uint64_t unsigned_losses = lost_ - direction.reverse;
  const bool resends_seen = syn_ack_resent_ + reset_resent_ > 0;
  if (resends_seen && unsigned_losses > late_) direction.forward = unsigned_losses - late_;
  direction.unknown = unsigned_losses - direction.forward;
  return direction;
}

void DestinationRecord::fill(std::uint64_t in_flight, DestinationResult& result) const {
  result.sent = sent() + in_flight;
  result.answered = answered_;
  result.lost = lost_;
  result.late = std::min(late_, lost_);
  result.duplicates = duplicates_;
  result.reordered = reordered_;
  result.not_sent = not_sent_;
  result.in_flight = in_flight_ + in_flight;
  result.stale_half_open = stale_half_open_;
  result.answered_without_rtt = answered_without_rtt_;
  result.loss = wilson_95(lost_, answered_ + lost_);
  result.replies = {
      .syn_ack = replies_[index_of(probe::ReplyKind::syn_ack)],
      .rst = replies_[index_of(probe::ReplyKind::rst)],
      .echo_reply = replies_[index_of(probe::ReplyKind::echo_reply)],
      .udp_reply = replies_[index_of(probe::ReplyKind::udp_reply)],
      .port_unreachable = replies_[index_of(probe::ReplyKind::port_unreachable)],
      .other_tcp = replies_[index_of(probe::ReplyKind::other_tcp)],
      .syn_ack_resent = syn_ack_resent_,
      .reset_resent = reset_resent_,
      .unreachable = {unreachable_.begin(), unreachable_.begin() + static_cast<std::ptrdiff_t>(unreachable_kinds_)},
      .unreachable_unlisted = unreachable_unlisted_};
  result.direction = direction();
  result.rtt = rtt_.summary();
  result.rtt_error = rtt_.error();
  result.shape = rtt_.shape();
  result.jitter_ns = jitter_.value_ns();
  result.reply_ttl_min = reply_ttl_min_;
  result.reply_ttl_max = reply_ttl_max_;
}

}  // namespace volley::stats

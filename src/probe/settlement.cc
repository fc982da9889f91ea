// Timeouts and the end of records. Receiver thread only.
#include "volley/probe/settlement.h"

#include <algorithm>
#include <limits>

namespace volley::probe {

namespace {

// A backlog may grow while a probe waits in it.
constexpr std::int64_t kDepartureFactor = 2;
constexpr std::uint64_t kKeptFreeShare = 16;  // of the table, for the sender

}  // namespace

Settlement::Settlement(const ProbePlan& plan, FlightTable& table, Ledger& ledger)
    : table_(table),
      ledger_(ledger),
      destinations_(plan.destinations.size()),
      timeout_ns_(plan.timeout.count()),
      skipped_by_destination_(plan.destinations.size()) {}

void Settlement::note_departure(std::uint64_t number) {
  const FlightRecord& record = table_.at(number);
  departed_ = std::max(departed_, number + 1);
  const std::int64_t delay_ns = record.departure_ns - record.written_ns;
  if (delay_ns < kFlightHold.count()) {  // more is a step of the clock
    longest_departure_ns_ = std::max(longest_departure_ns_, delay_ns);
  }
  if (number < due_) {
    wait_until_ns_ = std::max(wait_until_ns_, record.departure_ns + timeout_ns_);
  }
}

void Settlement::settle_due(std::int64_t drained_ns) {
  for (const std::uint64_t head = table_.head(); due_ < head; ++due_) {
    const FlightRecord& record = table_.at(due_);
    if (record.state != FlightState::awaited) {
      continue;
    }
    const NotSentReason reason = record.not_sent.load(std::memory_order_acquire);
    if (reason != NotSentReason::none && !record.has_departed) {
      ledger_.not_sent(due_, reason);
      continue;
    }
    if (record.sent_ns() + timeout_ns_ >= drained_ns) {
      break;
    }
    if (record.has_departed) {
      ledger_.lost(due_);
    } else if (due_ >= departed_) {
      // Nothing that was written later has left: it may stand in a queue still.
      wait_until_ns_ =
          std::max(wait_until_ns_, record.written_ns + timeout_ns_ + kDepartureFactor * longest_departure_ns_);
    }
  }
}

// What is awaited still when its record ends, or the run.
void Settlement::resolve(std::uint64_t number, std::int64_t drained_ns, std::uint64_t capture_dropped) {
  const FlightRecord& record = table_.at(number);
  const NotSentReason reason = record.not_sent.load(std::memory_order_acquire);
  if (record.has_departed || capture_dropped != 0) {
    if (!record.has_departed && reason != NotSentReason::none) {
      ledger_.not_sent(number, reason);
    } else if (record.sent_ns() + timeout_ns_ < drained_ns) {
      ledger_.lost(number);
    } else {
      ledger_.in_flight(number);
    }
  } else if (reason != NotSentReason::none) {
    ledger_.not_sent(number, reason);
  } else if (record.written_ns + longest_departure_ns_ >= drained_ns) {
    ledger_.in_flight(number);  // it could not have been seen yet
  } else {
    ledger_.not_sent(number, NotSentReason::not_departed);
  }
}

void Settlement::release(std::int64_t drained_ns, std::uint64_t capture_dropped) {
  const std::uint64_t head = table_.head();
  const std::uint64_t most_held = table_.capacity() - table_.capacity() / kKeptFreeShare;
  std::uint64_t tail = table_.tail();
  for (; tail < due_; ++tail) {
    FlightRecord& record = table_.at(tail);
    const bool is_old = record.written_ns + kFlightHold.count() < drained_ns;
    if (!is_old && head - tail <= most_held) {
      break;
    }
    if (record.state == FlightState::awaited) {
      resolve(tail, drained_ns, capture_dropped);
    }
    ledger_.close_direction(record);
  }
  table_.release_up_to(tail);
}

void Settlement::report_skipped() {
  const std::uint64_t skipped = table_.skipped();
  if (skipped == skipped_) {
    return;
  }
  skipped_ = skipped;
  for (std::uint32_t i = 0; i < destinations_; ++i) {
    for (const std::uint64_t now = table_.skipped(i); skipped_by_destination_[i] < now; ++skipped_by_destination_[i]) {
      ledger_.skipped(i);
    }
  }
}

void Settlement::settle(std::int64_t drained_ns, std::uint64_t capture_dropped) {
  settle_due(drained_ns);
  release(drained_ns, capture_dropped);
  report_skipped();
}

void Settlement::finish(std::int64_t drained_ns, std::uint64_t capture_dropped) {
  settle_due(drained_ns);
  const std::uint64_t head = table_.head();
  for (std::uint64_t number = table_.tail(); number < head; ++number) {
    FlightRecord& record = table_.at(number);
    if (record.state == FlightState::awaited) {
      resolve(number, drained_ns, capture_dropped);
    }
    ledger_.close_direction(record);
  }
  due_ = head;
  table_.release_up_to(head);
  report_skipped();
}

void Settlement::shift_clock(std::int64_t before_ns, std::int64_t step_ns) {
  const std::uint64_t head = table_.head();
  std::int64_t previous_ns = std::numeric_limits<std::int64_t>::min();
  for (std::uint64_t number = table_.tail(); number < head; ++number) {
    FlightRecord& record = table_.at(number);
    // Where the write times jump, the new clock begins.
    if (step_ns < 0 ? record.written_ns < previous_ns : record.written_ns > before_ns) {
      break;
    }
    previous_ns = record.written_ns;
    const bool left_after_it = step_ns < 0 ? record.departure_ns < record.written_ns : record.departure_ns > before_ns;
    if (record.has_departed && !left_after_it) {
      record.departure_ns += step_ns;
    }
    record.written_ns += step_ns;
    record.is_clock_stepped = record.is_clock_stepped || record.state == FlightState::awaited;
  }
  wait_until_ns_ += step_ns;
}

bool Settlement::is_waiting(std::int64_t now_ns) const {
  const std::uint64_t head = table_.head();
  for (std::uint64_t number = due_; number < head; ++number) {
    if (table_.at(number).state == FlightState::awaited) {
      return true;
    }
  }
  return now_ns < wait_until_ns_;
}

std::vector<std::uint64_t> Settlement::in_flight_by_destination() const {
  std::vector<std::uint64_t> counts(destinations_);
  const std::uint64_t head = table_.head();
  for (std::uint64_t number = table_.tail(); number < head; ++number) {
    const FlightRecord& record = table_.at(number);
    if (record.state == FlightState::awaited &&
        record.not_sent.load(std::memory_order_acquire) == NotSentReason::none) {
      ++counts[record.key.destination];
    }
  }
  return counts;
}

}  // namespace volley::probe

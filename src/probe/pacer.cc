// The schedule of a run. Pure; sender thread only.
#include "volley/probe/pacer.h"

#include <algorithm>
#include <cmath>

namespace volley::probe {

namespace {

constexpr long double kNsPerSecond = 1e9L;
// A schedule that is further behind than this, and than two probes, is not
// caught up with: at 1000/s it would be a burst of 50.
constexpr std::int64_t kMaxBacklogNs = 50'000'000;
constexpr double kMaxBacklogProbes = 2.0;

constexpr double kFirstBatchedPps = 10'000.0;
constexpr double kBatchSeconds = 100e-6;

std::uint32_t size_batch(double rate_pps) {
  if (rate_pps == 0.0) {
    return Pacer::kMaxBatch;
  }
  if (rate_pps < kFirstBatchedPps) {
    return 1;
  }
  return static_cast<std::uint32_t>(std::clamp(rate_pps * kBatchSeconds, 1.0, static_cast<double>(Pacer::kMaxBatch)));
}

}  // namespace

Pacer::Pacer(const ProbePlan& plan, std::int64_t start_ns)
    : rate_pps_(plan.rate_pps),
      limit_(plan.count * plan.destinations.size()),
      duration_ns_(plan.duration.count()),
      first_ns_(start_ns),
      start_ns_(start_ns),
      batch_size_(size_batch(plan.rate_pps)) {}

// 64 bits of mantissa: n x 1e9 is exact up to 1.8e10 probes, and the quotient
// good to a nanosecond for years.
std::int64_t Pacer::due_ns(std::uint64_t number) const {
  return start_ns_ + std::llround(static_cast<long double>(number) * kNsPerSecond / rate_pps_);
}

bool Pacer::is_over(std::uint64_t number) const {
  if (limit_ != 0 && number >= limit_) {
    return true;
  }
  if (rate_pps_ == 0.0) {
    return time_is_up_;
  }
  return duration_ns_ != 0 && due_ns(number) - first_ns_ >= duration_ns_;
}

std::optional<std::int64_t> Pacer::next_due_ns() const {
  if (is_over(next_)) {
    return std::nullopt;
  }
  if (rate_pps_ == 0.0) {
    return start_ns_;
  }
  std::uint64_t last = next_ + batch_size_ - 1;
  while (last > next_ && is_over(last)) {
    --last;
  }
  return due_ns(last);
}

void Pacer::drop_backlog(std::int64_t now_ns) {
  const std::int64_t behind_ns = now_ns - due_ns(next_);
  const auto two_probes_ns = static_cast<std::int64_t>(kMaxBacklogProbes * 1e9 / rate_pps_);
  if (behind_ns <= std::max(kMaxBacklogNs, two_probes_ns)) {
    return;
  }
  start_ns_ += behind_ns;
  skips_.fetch_add(1, std::memory_order_relaxed);
  skipped_ns_.fetch_add(behind_ns, std::memory_order_relaxed);
}

std::uint32_t Pacer::take(std::int64_t now_ns) {
  if (rate_pps_ == 0.0) {
    time_is_up_ = duration_ns_ != 0 && now_ns - first_ns_ >= duration_ns_;
  } else if (!is_over(next_)) {
    drop_backlog(now_ns);
  }
  std::uint32_t count = 0;
  while (count < batch_size_ && !is_over(next_ + count) && (rate_pps_ == 0.0 || due_ns(next_ + count) <= now_ns)) {
    ++count;
  }
  return count;
}

std::int64_t Pacer::next_lag_ns(std::int64_t now_ns) {
  const std::uint64_t number = next_++;
  return rate_pps_ == 0.0 ? 0 : std::max<std::int64_t>(0, now_ns - due_ns(number));
}

}  // namespace volley::probe

// Chains of replies that arrived together; their merging and refitting. Pure; any thread.
#include "volley/diagnosis/stalls.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/splitmix.h"

namespace volley::diagnosis {
namespace {

// All of these are STATISTICS section 5's.
constexpr double kLeastToleranceNs = 0.3e6;
constexpr double kLeastExcessNs = 2e6;
constexpr double kLeastStallNs = 10e6;
constexpr double kSteepest = 0.25;  // arrivals in the order of the backlog, per time of sending
constexpr std::size_t kMostSlow = 3000;
constexpr std::size_t kFewestMembers = 3;

struct Point {
  double sent = 0.0;
  double arrival = 0.0;  // less the median RTT: when it was let go
  double excess = 0.0;
  std::size_t index = 0;  // of the reply
};

struct Chain {
  std::vector<Point> points;
  double log_p = 0.0;
  double start() const { return points.front().sent; }
  double end() const { return points.back().arrival; }
};

double tolerance_of(const StallSearch& search) {
  return std::max(kLeastToleranceNs, 4.0 * 1.4826 * static_cast<double>(search.median_deviation_ns));
}

Point point_of(std::span<const TimedReply> replies, std::size_t index, const StallSearch& search) {
  const TimedReply& reply = replies[index];
  const double excess = static_cast<double>(reply.rtt_ns - search.median_ns);
  return {static_cast<double>(reply.sent_ns), static_cast<double>(reply.sent_ns) + excess, excess, index};
}

// The slow ones; a random sample where there are too many. Not the slowest:
// that would lose stalls of which every reply is held for less long.
std::vector<Point> slow_points(std::span<const TimedReply> replies, const StallSearch& search, double tolerance) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const Point point = point_of(replies, i, search);
    if (point.excess > std::max(kLeastExcessNs, 4.0 * tolerance)) points.push_back(point);
  }
  if (points.size() <= kMostSlow) return points;
  SplitMix random(search.seed);
  for (std::size_t i = 0; i < kMostSlow; ++i) {
    const std::size_t other = i + static_cast<std::size_t>(random.below(points.size() - i));
    std::swap(points[i], points[other]);
  }
  points.resize(kMostSlow);
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.sent < b.sent; });
  return points;
}

bool is_together(const Point& earlier, const Point& later, double tolerance) {
  const double distance = later.arrival - earlier.arrival;
  return distance >= -tolerance && distance <= tolerance + kSteepest * (later.sent - earlier.sent);
}

std::vector<Chain> make_chains(const std::vector<Point>& points, double tolerance) {
  std::vector<Chain> closed;
  std::vector<Chain> open;
  for (const Point& point : points) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (point.sent > open[i].points.back().arrival) {
        if (open[i].points.size() >= kFewestMembers) closed.push_back(std::move(open[i]));
      } else {
        if (kept != i) open[kept] = std::move(open[i]);
        ++kept;
      }
    }
    open.resize(kept);
    Chain* nearest = nullptr;
    double shortest = std::numeric_limits<double>::infinity();
    for (Chain& chain : open) {
      if (!is_together(chain.points.back(), point, tolerance) || !is_together(chain.points.front(), point, tolerance)) {
        continue;
      }
      const double distance = std::fabs(point.arrival - chain.points.back().arrival);
      if (distance < shortest) {
        shortest = distance;
        nearest = &chain;
      }
    }
    if (nearest != nullptr) {
      nearest->points.push_back(point);
    } else {
      open.push_back({{point}, 0.0});
    }
  }
  for (Chain& chain : open) {
    if (chain.points.size() >= kFewestMembers) closed.push_back(std::move(chain));
  }
  return closed;
}

// ln of the chance that independent delays make such a chain somewhere: the
// first member is any slow reply, each further one falls near it by chance.
double log_chance(const Chain& chain, const std::vector<Point>& points, double tolerance) {
  double log_p = std::log(static_cast<double>(points.size()));
  for (std::size_t i = 1; i < chain.points.size(); ++i) {
    const Point& point = chain.points[i];
    const double width = 2.0 * tolerance + kSteepest * (point.sent - chain.points[i - 1].sent);
    log_p += std::log(std::min(1.0, width / point.excess));
  }
  const auto by_sent = [](const Point& point, double sent) { return point.sent < sent; };
  const auto first = std::lower_bound(points.begin(), points.end(), chain.points.front().sent, by_sent);
  const auto last = std::upper_bound(first, points.end(), chain.points.back().sent,
                                     [](double sent, const Point& point) { return sent < point.sent; });
  return log_p + log_choose(static_cast<std::uint64_t>(last - first), chain.points.size());
}

bool is_stall(const Chain& chain) {
  const double held = chain.points.front().excess;
  return chain.points.size() >= kFewestMembers && held >= kLeastStallNs &&
         chain.points.back().sent - chain.points.front().sent >= held / 2.0;
}

// Of several chains that lie in one time the largest speaks for all.
std::vector<Chain> merged(std::vector<Chain> chains) {
  std::stable_sort(chains.begin(), chains.end(),
                   [](const Chain& a, const Chain& b) { return a.points.size() > b.points.size(); });
  std::vector<Chain> apart;
  for (Chain& chain : chains) {
    const bool is_known = std::any_of(apart.begin(), apart.end(), [&](const Chain& other) {
      const double common = std::min(chain.end(), other.end()) - std::max(chain.start(), other.start());
      return common >= 0.5 * std::min(chain.end() - chain.start(), other.end() - other.start());
    });
    if (!is_known) apart.push_back(std::move(chain));
  }
  return apart;
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Median slope of arrival over sending, from random pairs.
double slope_of(const std::vector<Point>& points, SplitMix& random) {
  constexpr int kPairs = 400;
  std::vector<double> slopes;
  for (int i = 0; i < kPairs; ++i) {
    const Point& a = points[static_cast<std::size_t>(random.below(points.size()))];
    const Point& b = points[static_cast<std::size_t>(random.below(points.size()))];
    if (a.sent != b.sent) slopes.push_back((b.arrival - a.arrival) / (b.sent - a.sent));
  }
  return slopes.empty() ? 0.0 : std::clamp(median_of(std::move(slopes)), 0.0, kSteepest);
}

void drop_early_strays(std::vector<Point>& members) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < members.size(); ++i) gaps.push_back(members[i].sent - members[i - 1].sent);
  if (gaps.empty()) return;
  constexpr double kLeastGapNs = 1e6;
  const double most = std::max(8.0 * median_of(gaps), kLeastGapNs);
  std::size_t first = 0;
  while (first < gaps.size() && gaps[first] > most) ++first;
  members.erase(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(first));
}

// All replies that the stall held, and its ends from them.
Stall refitted(const Chain& chain, std::span<const TimedReply> replies, const StallSearch& search, double tolerance,
               SplitMix& random) {
  const double slope = slope_of(chain.points, random);
  std::vector<double> offsets;
  for (const Point& point : chain.points) offsets.push_back(point.arrival - slope * point.sent);
  const double offset = median_of(std::move(offsets));
  const double earliest = chain.start() - chain.points.front().excess;
  std::vector<Point> members;
  const auto first = std::lower_bound(replies.begin(), replies.end(), static_cast<std::int64_t>(earliest),
                                      [](const TimedReply& reply, std::int64_t sent) { return reply.sent_ns < sent; });
  for (auto reply = first; reply != replies.end(); ++reply) {
    const Point point = point_of(replies, static_cast<std::size_t>(reply - replies.begin()), search);
    if (point.sent > chain.end()) break;
    const bool is_released = std::fabs(point.arrival - offset - slope * point.sent) <= 2.0 * tolerance;
    if (is_released && point.excess > 2.0 * tolerance) members.push_back(point);
  }
  drop_early_strays(members);
  if (members.empty()) members = chain.points;
  // The stall began somewhere between the last probe that passed and the first
  // that was held: half of a usual gap before it.
  std::vector<double> gaps;
  for (std::size_t i = 1; i < members.size(); ++i) gaps.push_back(members[i].sent - members[i - 1].sent);
  const double start = members.front().sent - (gaps.empty() ? 0.0 : 0.5 * median_of(std::move(gaps)));
  Stall stall;
  stall.start_ns = std::llround(start);
  stall.end_ns = std::llround(offset + slope * start);
  stall.log_p = chain.log_p;
  for (const Point& point : members) stall.members.push_back(point.index);
  return stall;
}

}  // namespace

std::vector<Stall> find_stalls(std::span<const TimedReply> slow, const StallSearch& search) {
  const double tolerance = tolerance_of(search);
  const std::vector<Point> points = slow_points(slow, search, tolerance);
  std::vector<Chain> sure;
  for (Chain& chain : make_chains(points, tolerance)) {
    if (!is_stall(chain)) continue;
    chain.log_p = std::min(0.0, log_chance(chain, points, tolerance) + search.log_price);
    if (chain.log_p < std::log(kStallAlpha)) sure.push_back(std::move(chain));
  }
  SplitMix random(search.seed + 1);
  std::vector<Stall> stalls;
  for (const Chain& chain : merged(std::move(sure))) {
    stalls.push_back(refitted(chain, slow, search, tolerance, random));
  }
  std::sort(stalls.begin(), stalls.end(), [](const Stall& a, const Stall& b) { return a.start_ns < b.start_ns; });
  return stalls;
}

std::optional<StallPeriod> find_period(std::span<const Stall> stalls) {
  constexpr std::size_t kFewestStalls = 4;  // with three, one that was missed doubles the period
  constexpr double kLargestResidual = 0.05;
  if (stalls.size() < kFewestStalls) return std::nullopt;
  std::vector<double> ends;
  for (const Stall& stall : stalls) ends.push_back(static_cast<double>(stall.end_ns));
  std::sort(ends.begin(), ends.end());
  std::vector<double> gaps;
  for (std::size_t i = 1; i < ends.size(); ++i) gaps.push_back(ends[i] - ends[i - 1]);
  const double guess = median_of(std::move(gaps));
  if (guess <= 0.0) return std::nullopt;
  // Least squares of the ends over their numbers.
  std::vector<double> numbers;
  for (const double end : ends) numbers.push_back(std::round((end - ends.front()) / guess));
  const double count = static_cast<double>(ends.size());
  const double mean_number = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count;
  const double mean_end = std::accumulate(ends.begin(), ends.end(), 0.0) / count;
  double cross = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    cross += (numbers[i] - mean_number) * (ends[i] - mean_end);
    square += (numbers[i] - mean_number) * (numbers[i] - mean_number);
  }
  if (square <= 0.0) return std::nullopt;
  const double period = cross / square;
  StallPeriod found{std::llround(period), 0.0};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double distance = ends[i] - mean_end - period * (numbers[i] - mean_number);
    found.residual = std::max(found.residual, std::fabs(distance) / guess);
  }
  if (found.residual > kLargestResidual) return std::nullopt;
  return found;
}

}  // namespace volley::diagnosis

// Tests of evenness, and the finding. Pure; any thread.
#include "volley/diagnosis/reply_limit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

constexpr double kAlpha = 1e-3;
// Below this loss no limit is at work that would be worth a word.
constexpr double kLeastLoss = 0.2;
// Share of the run at whose begin a limit still lets a burst through.
constexpr std::size_t kBurstDivisor = 20;
constexpr std::size_t kFewestBins = 8;
constexpr std::size_t kMostWidths = 10;
constexpr double kFewestExpected = 5.0;  // answers in a bin, for the chi-square approximation
constexpr std::size_t kFewestAnswers = 6;

// ln P(chi-square <= value).
double log_chi_square_lower(double value, double degrees) {
  if (value <= 0.0) return -1e9;
  const double a = 0.5 * degrees;
  const double x = 0.5 * value;
  double term = 1.0;
  double sum = 1.0;
  for (int n = 1; n < 10'000 && term > 1e-16 * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return std::min(0.0, a * std::log(x) - x - log_gamma(a + 1.0) + std::log(sum));
}

std::vector<AnswerBin> doubled(const std::vector<AnswerBin>& bins) {
  std::vector<AnswerBin> wide;
  for (std::size_t i = 0; i + 1 < bins.size(); i += 2) {
    wide.push_back({bins[i].sent + bins[i + 1].sent, bins[i].answered + bins[i + 1].answered});
  }
  return wide;
}

// Pearson's statistic of equal luck, and how far down its tail it lies.
double log_dispersion_p(const std::vector<AnswerBin>& bins) {
  double sent = 0.0;
  double answered = 0.0;
  double used = 0.0;
  for (const AnswerBin& bin : bins) {
    sent += static_cast<double>(bin.sent);
    answered += static_cast<double>(bin.answered);
    used += bin.sent > 0 ? 1.0 : 0.0;
  }
  if (used < kFewestBins || answered <= 0.0 || answered >= sent) return 0.0;
  const double luck = answered / sent;
  if (answered / used < kFewestExpected) return 0.0;
  double statistic = 0.0;
  for (const AnswerBin& bin : bins) {
    if (bin.sent == 0) continue;
    const double expected = luck * static_cast<double>(bin.sent);
    const double distance = static_cast<double>(bin.answered) - expected;
    // Whole numbers can't come nearer to their mean than by chance of rounding.
    statistic += (distance * distance + 1.0 / 12.0) / (expected * (1.0 - luck));
  }
  return log_chi_square_lower(statistic, used - 1.0);
}

// Few answers, each alone in its bin: the chance that no two are nearer.
double log_spacing_p(std::span<const AnswerBin> bins) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].answered > 1) return 0.0;
    if (bins[i].answered == 1) places.push_back(i);
  }
  if (places.size() < kFewestAnswers) return 0.0;
  std::size_t nearest = bins.size();
  for (std::size_t i = 1; i < places.size(); ++i) nearest = std::min(nearest, places[i] - places[i - 1]);
  const std::size_t taken = (places.size() - 1) * (nearest - 1);
  return log_choose(bins.size() - taken, places.size()) - log_choose(bins.size(), places.size());
}

std::vector<AnswerBin> bins_after_burst(const Subject& subject) {
  std::vector<AnswerBin> bins;
  for (const stats::TimelineBin& bin : subject.result.timeline.bins) bins.push_back({bin.sent, bin.answered});
  while (!bins.empty() && bins.back().sent == 0) bins.pop_back();
  return bins;
}

// The timeline is of the whole run: it speaks of this destination only where
// all destinations are one host.
bool is_one_host(const Subject& subject) {
  return std::all_of(subject.result.destinations.begin(), subject.result.destinations.end(),
                     [&](const auto& other) { return other.address == subject.destination().address; });
}

bool is_answered_by_icmp(const Subject& subject) {
  const stats::ReplyCounts& replies = subject.destination().replies;
  return 2 * (replies.port_unreachable + replies.echo_reply) > subject.destination().answered;
}

std::string per_second_text(double rate) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), rate, std::chars_format::fixed, rate < 10.0 ? 1 : 0);
  return std::string(text.data(), end.ptr);
}

}  // namespace

double log_evenness_p(std::span<const AnswerBin> bins) {
  const std::span<const AnswerBin> steady = bins.subspan(bins.size() / kBurstDivisor);
  double best = log_spacing_p(steady);
  std::vector<AnswerBin> wide(steady.begin(), steady.end());
  for (std::size_t width = 0; width < kMostWidths && wide.size() >= kFewestBins; ++width) {
    best = std::min(best, log_dispersion_p(wide));
    wide = doubled(wide);
  }
  return std::min(0.0, best + std::log(static_cast<double>(kMostWidths + 1)));
}

std::optional<Finding> find_reply_limit(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  const double probes = static_cast<double>(destination.answered + destination.lost);
  if (destination.answered == 0 || static_cast<double>(destination.lost) < kLeastLoss * probes) return std::nullopt;
  if (!is_one_host(subject) || !is_answered_by_icmp(subject)) return std::nullopt;
  const std::vector<AnswerBin> bins = bins_after_burst(subject);
  const double log_p = log_evenness_p(bins) + subject.log_price();
  if (log_p > std::log(kAlpha)) return std::nullopt;
  std::uint64_t answered = 0;
  const std::size_t first = bins.size() / kBurstDivisor;
  for (std::size_t i = first; i < bins.size(); ++i) answered += bins[i].answered;
  const double seconds =
      static_cast<double>(subject.result.timeline.bin_ns) * static_cast<double>(bins.size() - first) / 1e9;
  const double rate = static_cast<double>(answered) / seconds;
  Finding finding = make_finding(subject, FindingKind::reply_limited, Severity::info);
  finding.summary = "the target limits its ICMP answers to about " + per_second_text(rate) + " a second";
  finding.details.push_back(part_of(destination.answered, destination.answered + destination.lost) +
                            " probes were answered, more evenly over time than loss would leave them (" +
                            p_text(log_p) + "): the others count as lost, but say nothing about the path");
  finding.next_steps.push_back("try a lower --rate, or TCP: sudo volley probe " +
                               target_argument(destination, probe::Protocol::icmp));
  finding.next_steps.emplace_back("look on the target: sysctl net.ipv4.icmp_ratelimit net.ipv4.icmp_msgs_per_sec");
  finding.p_value = p_value(log_p);
  finding.evidence.emplace_back("answers_per_second", rate);
  finding.evidence.emplace_back("answered", static_cast<std::int64_t>(destination.answered));
  finding.evidence.emplace_back("lost", static_cast<std::int64_t>(destination.lost));
  return finding;
}

}  // namespace volley::diagnosis

// The totals of the text report; see the header.
#include "volley/report/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "volley/report/glyphs.h"
#include "volley/report/words.h"
#include "volley/wire/icmp_names.h"

namespace volley::report {
namespace {

using stats::DestinationResult;

// The ICMP errors that are worth a line of their own; the rest is a sum.
constexpr std::size_t kMostErrors = 5;
// Below it, a histogram is dots without a shape.
constexpr std::uint64_t kLeastForHistogram = 10;

std::string answered_text(const DestinationResult& destination) {
  std::string text = fmt::format("{} answered", destination.answered);
  const std::vector<NamedCount> kinds = answer_kinds(destination.replies);
  if (kinds.size() == 1) {
    return fmt::format("{} ({})", text, kinds.front().name);
  }
  std::string list;
  for (const NamedCount& kind : kinds) {
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", kind.count, kind.name);
  }
  return list.empty() ? text : fmt::format("{} ({})", text, list);
}

void write_probes(Page& page, const DestinationResult& destination) {
  std::vector<std::string> fields{
      fmt::format("{} sent", destination.sent),
      answered_text(destination),
      fmt::format("{} lost", destination.lost),
  };
  if (destination.answered > 0 || destination.late > 0) {
    fields.push_back(fmt::format("{} late", destination.late));
    fields.push_back(fmt::format("{} duplicate", destination.duplicates));
    fields.push_back(fmt::format("{} reordered", destination.reordered));
  }
  if (destination.in_flight > 0) {
    fields.push_back(fmt::format("{} in flight", destination.in_flight));
  }
  if (destination.stale_half_open > 0) {
    fields.push_back(fmt::format("{} met a stale half-open entry", destination.stale_half_open));
  }
  page.labelled_fields("probes", fields);
}

void write_not_sent(Page& page, std::uint64_t count, const stats::LocalResult& local) {
  if (count == 0) {
    return;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < local.not_sent.size(); ++i) {
    if (local.not_sent[i] > 0) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return local.not_sent[a] > local.not_sent[b]; });
  std::string reasons;
  for (const std::size_t i : order) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? ": " : ", ", local.not_sent[i],
                           explanation_of(static_cast<probe::NotSentReason>(i)));
  }
  page.labelled("not sent", counted(count, "probe", "probes") + reasons);
}

void write_unreachable(Page& page, const DestinationResult& destination) {
  std::vector<stats::UnreachableCount> errors = destination.replies.unreachable;
  if (errors.empty()) {
    return;
  }
  std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  std::string text;
  std::uint64_t rest = destination.replies.unreachable_unlisted;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (i >= kMostErrors) {
      rest += errors[i].count;
      continue;
    }
    const probe::Unreachable& what = errors[i].what;
    text += fmt::format("{}{} {} from {}", i == 0 ? "" : ", ", errors[i].count,
                        wire::icmp_name(what.from.family, what.type, what.code), wire::to_string(what.from));
  }
  if (rest > 0) {
    text += fmt::format(", {} others", rest);
  }
  page.labelled("errors", text + " (of the lost)");
}

// Only TCP can tell the directions apart, by what the target sends again.
std::string direction_text(const DestinationResult& destination, probe::Protocol protocol) {
  const stats::LossDirection& direction = destination.direction;
  if (direction.forward + direction.reverse == 0) {
    const bool is_asked = protocol == probe::Protocol::tcp && destination.lost > 0 && destination.answered > 0;
    return is_asked ? "direction unknown" : "";
  }
  std::string text = fmt::format("{} on the way there, {} on the way back", direction.forward, direction.reverse);
  if (direction.unknown > 0) {
    text += fmt::format(", {} unknown", direction.unknown);
  }
  return text;
}

// Capture drops make every loss an upper bound: answers may be among them.
std::string upper_bound_text(const stats::LocalResult& local) {
  if (local.capture_drops + local.interface_drops == 0) {
    return {};
  }
  std::string text = "upper bound: ";
  if (local.capture_drops > 0) {
    text += fmt::format("capture dropped {}", counted(local.capture_drops, "frame", "frames"));
  }
  if (local.interface_drops > 0) {
    text += local.capture_drops > 0
                ? fmt::format(", interface {}", local.interface_drops)
                : fmt::format("interface dropped {}", counted(local.interface_drops, "frame", "frames"));
  }
  return text;
}

void push_if_any(std::vector<std::string>& fields, std::string text) {
  if (!text.empty()) {
    fields.push_back(std::move(text));
  }
}

void write_loss(Page& page, const Document& document, const DestinationResult& destination) {
  if (destination.answered + destination.lost == 0) {
    return;
  }
  std::vector<std::string> fields{
      fmt::format("{}  ({})", percent(destination.loss.value), confidence(destination.loss))};
  push_if_any(fields, upper_bound_text(document.result.local));
  push_if_any(fields, direction_text(destination, document.plan.protocol));
  page.labelled_fields("loss", fields);
}

void write_rtt(Page& page, const RttScale& scale, const DestinationResult& destination) {
  const stats::RttSummary& rtt = destination.rtt;
  std::vector<std::string> fields;
  if (rtt.count > 0) {
    fields.push_back("min " + scale.format(rtt.min_ns));
    fields.push_back("p50 " + scale.format(rtt.p50_ns));
    if (rtt.count >= kLeastForP90) {
      fields.push_back("p90 " + scale.format(rtt.p90_ns));
    }
    if (rtt.count >= kLeastForP99) {
      fields.push_back("p99 " + scale.format(rtt.p99_ns));
    }
    if (rtt.count >= kLeastForP999) {
      fields.push_back("p99.9 " + scale.format(rtt.p999_ns));
    }
    fields.push_back("max " + scale.format(rtt.max_ns));
    if (rtt.count > 1) {
      fields.push_back("jitter " + scale.format(destination.jitter_ns));
    }
  }
  if (destination.answered_without_rtt > 0) {
    fields.push_back(fmt::format("{} answered without RTT: departure not seen", destination.answered_without_rtt));
  }
  if (!fields.empty()) {
    page.labelled_fields("rtt " + scale.unit(), fields);
  }
}

void write_histogram(Page& page, const RttScale& scale, const DestinationResult& destination) {
  const stats::RttShape& shape = destination.shape;
  if (shape.counts.size() < 2 || shape.low_ns >= shape.high_ns || destination.rtt.count < kLeastForHistogram) {
    return;
  }
  page.line(fmt::format("{}{} {} {}  (log scale)", std::string(11, ' '), scale.format_short(shape.low_ns),
                        sparkline(shape.counts, page.charset()), scale.format_short(shape.high_ns)));
}

void write_ttl(Page& page, const DestinationResult& destination) {
  if (destination.reply_ttl_min == destination.reply_ttl_max) {
    return;
  }
  page.labelled("ttl", fmt::format("{} to {} in replies: more than one way back, or more than one host answers",
                                   destination.reply_ttl_min, destination.reply_ttl_max));
}

}  // namespace

void write_totals(Page& page, const TextContext& context, const DestinationResult& destination) {
  write_probes(page, destination);
  write_not_sent(page, destination.not_sent, context.document.result.local);
  write_unreachable(page, destination);
  write_loss(page, context.document, destination);
  write_rtt(page, context.scale, destination);
  if (!context.options.quiet) {
    write_histogram(page, context.scale, destination);
    write_ttl(page, destination);
  }
}

void write_run_totals(Page& page, const TextContext& context) {
  DestinationResult sum;
  std::size_t silent = 0;
  for (const DestinationResult& destination : context.document.result.destinations) {
    sum.sent += destination.sent;
    sum.answered += destination.answered;
    sum.lost += destination.lost;
    sum.late += destination.late;
    sum.duplicates += destination.duplicates;
    sum.reordered += destination.reordered;
    sum.in_flight += destination.in_flight;
    sum.stale_half_open += destination.stale_half_open;
    sum.not_sent += destination.not_sent;
    silent += destination.answered == 0 && destination.sent > 0 ? 1 : 0;
  }
  write_probes(page, sum);
  write_not_sent(page, sum.not_sent, context.document.result.local);
  if (sum.answered + sum.lost == 0) {
    return;
  }
  std::vector<std::string> fields{
      percent(static_cast<double>(sum.lost) / static_cast<double>(sum.answered + sum.lost))};
  push_if_any(fields, upper_bound_text(context.document.result.local));
  if (silent > 0) {
    fields.push_back(
        fmt::format("{} of {} did not answer at all", silent, context.document.result.destinations.size()));
  }
  page.labelled_fields("loss", fields);
}

}  // namespace volley::report

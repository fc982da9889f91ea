// The tables of receive queues; see the header.
#include "volley/report/queue_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "volley/report/glyphs.h"
#include "volley/report/table.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

using stats::QueueResult;

constexpr std::size_t kMostQueues = 16;
constexpr std::size_t kFewQueues = 8;
constexpr std::size_t kBarWidth = 6;
constexpr std::size_t kSparkWidth = 16;
constexpr std::size_t kTableIndent = 8;

// The queues that a finding about this destination names.
std::set<rss::QueueId> named_queues(const std::vector<diagnosis::Finding>& findings, std::uint32_t destination) {
  std::set<rss::QueueId> queues;
  for (const diagnosis::Finding& finding : findings) {
    const bool is_about_queues =
        finding.kind == diagnosis::FindingKind::queue_loss || finding.kind == diagnosis::FindingKind::queue_slow;
    if (!is_about_queues || finding.destination != destination) {
      continue;
    }
    for (const auto& [name, value] : finding.evidence) {
      if (const auto* one = std::get_if<std::int64_t>(&value); one != nullptr && name == "queue") {
        queues.insert(static_cast<rss::QueueId>(*one));
      }
      if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list != nullptr && name == "queues") {
        for (const std::int64_t queue : *list) {
          queues.insert(static_cast<rss::QueueId>(queue));
        }
      }
    }
  }
  return queues;
}

// The common ends of the sparklines of a table.
struct Axis {
  std::int64_t low_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t high_ns = 0;

  bool is_drawable() const { return low_ns > 0 && low_ns < high_ns; }
};

Axis axis_of(const std::vector<QueueResult>& queues) {
  Axis axis;
  for (const QueueResult& queue : queues) {
    if (queue.rtt.count > 0 && !queue.shape.counts.empty()) {
      axis.low_ns = std::min(axis.low_ns, queue.shape.low_ns);
      axis.high_ns = std::max(axis.high_ns, queue.shape.high_ns);
    }
  }
  return axis;
}

// How the table of these queues looks: the same for every row.
struct Layout {
  RttScale scale;
  Charset charset = Charset::ascii;
  Axis axis;
  double largest_loss = 0.0;
  bool has_p999 = false;  // else the last quantile is the maximum
};

Layout layout_of(const Page& page, const TextContext& context, const std::vector<QueueResult>& queues) {
  Layout layout{context.scale, page.charset(), axis_of(queues)};
  for (const QueueResult& queue : queues) {
    layout.largest_loss = std::max(layout.largest_loss, queue.lost > 0 ? queue.loss.value : 0.0);
    layout.has_p999 = layout.has_p999 || queue.rtt.count >= kLeastForP999;
  }
  return layout;
}

// The line above a table: whose queues, how many of them, the sparklines' ends.
std::string title_of(const std::string& whose, const Layout& layout, std::size_t shown, std::size_t all) {
  std::string text = whose;
  if (shown < all) {
    text += fmt::format(", worst {} of {}", shown, all);
  }
  if (layout.axis.is_drawable()) {
    text += fmt::format("; rtt {} to {} {} (log)", layout.scale.format_short(layout.axis.low_ns),
                        layout.scale.format_short(layout.axis.high_ns), layout.scale.unit());
  }
  return text;
}

void append_rtt_columns(std::vector<Column>& columns, const Layout& layout) {
  columns.push_back({"p50"});
  columns.push_back({"p99"});
  columns.push_back({layout.has_p999 ? "p99.9" : "max"});
  columns.push_back({"rtt " + layout.scale.unit(), Align::left});
}

void append_rtt_cells(std::vector<std::string>& cells, const Layout& layout, const QueueResult& queue) {
  const stats::RttSummary& rtt = queue.rtt;
  cells.push_back(quantile_text(layout.scale, rtt.count, 1, rtt.p50_ns));
  cells.push_back(quantile_text(layout.scale, rtt.count, kLeastForP99, rtt.p99_ns));
  cells.push_back(layout.has_p999 ? quantile_text(layout.scale, rtt.count, kLeastForP999, rtt.p999_ns)
                                  : quantile_text(layout.scale, rtt.count, 1, rtt.max_ns));
  cells.push_back(
      layout.axis.is_drawable() && rtt.count > 0
          ? sparkline(rebinned(queue.shape, layout.axis.low_ns, layout.axis.high_ns, kSparkWidth), layout.charset)
          : "");
}

// Named queues first, then by loss, then by p99; cut to what a page takes, then
// by number. Queues that neither lost nor are named fill a few rows only.
std::vector<QueueResult> shown_queues(std::vector<QueueResult> queues, const std::set<rss::QueueId>& named) {
  const auto is_suspect = [&](const QueueResult& queue) { return queue.lost > 0 || named.contains(queue.queue); };
  if (queues.size() > kMostQueues) {
    std::stable_sort(queues.begin(), queues.end(), [&](const QueueResult& a, const QueueResult& b) {
      if (named.contains(a.queue) != named.contains(b.queue)) {
        return named.contains(a.queue);
      }
      const double a_loss = a.lost > 0 ? a.loss.value : 0.0;
      const double b_loss = b.lost > 0 ? b.loss.value : 0.0;
      return a_loss != b_loss ? a_loss > b_loss : a.rtt.p99_ns > b.rtt.p99_ns;
    });
    const auto suspects = static_cast<std::size_t>(std::count_if(queues.begin(), queues.end(), is_suspect));
    queues.resize(std::clamp(suspects, kFewQueues, kMostQueues));
  }
  std::sort(queues.begin(), queues.end(), [](const QueueResult& a, const QueueResult& b) { return a.queue < b.queue; });
  return queues;
}

// One line for the queues that the table left out.
void write_others(Page& page, const RttScale& scale, const std::vector<QueueResult>& all,
                  const std::vector<QueueResult>& shown) {
  if (shown.size() == all.size()) {
    return;
  }
  std::uint64_t lost = 0;
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = 0;
  for (const QueueResult& queue : all) {
    const bool is_shown =
        std::any_of(shown.begin(), shown.end(), [&](const QueueResult& other) { return other.queue == queue.queue; });
    if (is_shown) {
      continue;
    }
    lost += queue.lost;
    if (queue.rtt.count > 0) {
      low = std::min(low, queue.rtt.p50_ns);
      high = std::max(high, queue.rtt.p50_ns);
    }
  }
  std::string text = fmt::format("and {} with {} lost", counted(all.size() - shown.size(), "other", "others"), lost);
  if (high > 0) {
    text += fmt::format(", p50 {} to {} {}", scale.format(low), scale.format(high), scale.unit());
  }
  page.paragraph(kTableIndent, kTableIndent, text);
}

void write_remote_table(Page& page, const TextContext& context, const std::vector<QueueResult>& queues,
                        const std::set<rss::QueueId>& named) {
  const Layout layout = layout_of(page, context, queues);
  std::vector<Column> columns{{"queue"}, {"sent"}, {"lost"}, {"loss"}};
  if (layout.largest_loss > 0.0) {
    columns.push_back({"", Align::left, Need::if_wide});
  }
  append_rtt_columns(columns, layout);
  Table table(std::move(columns));
  const std::vector<QueueResult> shown = shown_queues(queues, named);
  for (const QueueResult& queue : shown) {
    const bool has_end = queue.answered + queue.lost > 0;
    std::vector<std::string> cells{fmt::format("{}", queue.queue), fmt::format("{}", queue.sent),
                                   fmt::format("{}", queue.lost), has_end ? percent(queue.loss.value) : "-"};
    if (layout.largest_loss > 0.0) {
      cells.push_back(bar(queue.lost > 0 ? queue.loss.value : 0.0, layout.largest_loss, kBarWidth, page.charset()));
    }
    append_rtt_cells(cells, layout, queue);
    const bool is_named = named.contains(queue.queue);
    table.add_row(std::move(cells), is_named ? Style::bad : Style::plain, is_named ? '!' : ' ');
  }
  page.labelled("queues", title_of("of the target, by its RSS (predicted)", layout, shown.size(), queues.size()));
  table.write(page, kTableIndent);
  write_others(page, context.scale, queues, shown);
}

std::vector<QueueResult> reached_queues(const stats::DestinationResult& destination) {
  std::vector<QueueResult> reached = destination.remote_queues;
  std::erase_if(reached, [](const QueueResult& queue) { return queue.sent == 0; });
  return reached;
}

// Why spreading the source ports spread nothing, and what would.
void write_one_queue(Page& page, const probe::ProbePlan& plan, const stats::DestinationResult& destination) {
  const std::vector<QueueResult> reached = reached_queues(destination);
  const bool is_icmp = plan.protocol == probe::Protocol::icmp;
  const std::string probes = is_icmp ? "all echoes" : "all probes";
  std::string text;
  if (plan.rss && reached.size() == 1) {
    text = fmt::format("{} fall on queue {} of {}: ", probes, reached.front().queue, distinct_queues(*plan.rss));
  } else {
    text = fmt::format("{} fall on one receive queue of the target: ", probes);
  }
  if (is_icmp) {
    text += "ICMP is hashed on addresses alone, so the other queues are not tested; --tcp or --udp spreads over them";
  } else {
    const std::string protocol(to_string(plan.protocol));
    text += fmt::format(
        "its RSS hashes {} on addresses alone, so the other queues are not tested; "
        "on the target: ethtool -N DEV rx-flow-hash {}{} sdfn",
        protocol, protocol, destination.address.is_v6() ? 6 : 4);
  }
  page.labelled("queues", text);
}

}  // namespace

bool is_hashed_on_addresses(const probe::ProbePlan& plan) {
  switch (plan.protocol) {
    case probe::Protocol::icmp:
      return true;
    case probe::Protocol::tcp:
      return plan.rss && plan.rss->tcp_fields == rss::HashFields::addresses;
    case probe::Protocol::udp:
      return plan.rss && plan.rss->udp_fields == rss::HashFields::addresses;
  }
  return false;
}

void write_remote_queues(Page& page, const TextContext& context, std::uint32_t index) {
  const probe::ProbePlan& plan = context.document.plan;
  const stats::DestinationResult& destination = context.document.result.destinations[index];
  if (is_hashed_on_addresses(plan) && reached_queues(destination).size() <= 1) {
    write_one_queue(page, plan, destination);
    return;
  }
  if (destination.remote_queues.empty()) {
    if (destination.remote_queues_left_out) {
      page.labelled("queues", "no records: this run has more destinations than queues are kept for");
    }
    return;
  }
  page.blank();
  write_remote_table(page, context, destination.remote_queues, named_queues(context.document.findings, index));
}

void write_local_queues(Page& page, const TextContext& context, std::uint32_t index) {
  std::vector<QueueResult> queues = context.document.result.destinations[index].local_queues;
  std::erase_if(queues, [](const QueueResult& queue) { return queue.answered == 0; });
  if (queues.size() < 2) {
    return;
  }
  const Layout layout = layout_of(page, context, queues);
  std::vector<Column> columns{{"queue"}, {"replies"}};
  append_rtt_columns(columns, layout);
  Table table(std::move(columns));
  const std::vector<QueueResult> shown = shown_queues(queues, {});
  for (const QueueResult& queue : shown) {
    std::vector<std::string> cells{fmt::format("{}", queue.queue), fmt::format("{}", queue.answered)};
    append_rtt_cells(cells, layout, queue);
    table.add_row(std::move(cells));
  }
  page.blank();
  page.labelled("queues", title_of("of this host, as replies arrived", layout, shown.size(), queues.size()));
  table.write(page, kTableIndent);
  write_others(page, context.scale, queues, shown);
}

}  // namespace volley::report

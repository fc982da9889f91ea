// The table of a run with several destinations; see the header.
#include "volley/report/destination_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "volley/report/glyphs.h"
#include "volley/report/table.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

using stats::DestinationResult;

constexpr std::size_t kMostRows = 50;
constexpr std::size_t kBarWidth = 6;
constexpr std::size_t kTableIndent = 4;

bool is_silent(const DestinationResult& destination) {
  return destination.answered == 0;
}

double loss_of(const DestinationResult& destination) {
  return destination.lost > 0 ? destination.loss.value : 0.0;
}

// Silent first, then by loss, then by p99; equal ones in the order of the run.
bool is_worse(const DestinationResult* a, const DestinationResult* b) {
  if (is_silent(*a) != is_silent(*b)) {
    return is_silent(*a);
  }
  if (loss_of(*a) != loss_of(*b)) {
    return loss_of(*a) > loss_of(*b);
  }
  return a->rtt.p99_ns > b->rtt.p99_ns;
}

std::vector<const DestinationResult*> worst_first(const stats::RunResult& result) {
  std::vector<const DestinationResult*> rows;
  for (const DestinationResult& destination : result.destinations) {
    rows.push_back(&destination);
  }
  std::stable_sort(rows.begin(), rows.end(), is_worse);
  return rows;
}

template <typename Predicate>
bool any_row(const std::vector<const DestinationResult*>& rows, Predicate predicate) {
  return std::any_of(rows.begin(), rows.end(), [&](const DestinationResult* row) { return predicate(*row); });
}

// Which columns the rows fill, and what tells the rows apart.
struct Layout {
  bool has_host = false;
  bool has_port = false;
  bool has_answer_kind = false;
  bool has_not_sent = false;
  bool has_loss = false;
  bool has_p999 = false;
};

// Several kinds of answer are told only where the rows differ in them.
std::string kind_text(const DestinationResult& destination) {
  const std::vector<NamedCount> kinds = answer_kinds(destination.replies);
  if (kinds.empty()) {
    return "none";
  }
  return kinds.size() == 1 ? std::string(kinds.front().name) : "mixed";
}

Layout layout_of(const std::vector<const DestinationResult*>& rows) {
  Layout layout;
  const DestinationResult& first = *rows.front();
  layout.has_port = any_row(rows, [&](const DestinationResult& row) { return row.port != first.port; });
  layout.has_host = !layout.has_port || any_row(rows, [&](const DestinationResult& row) {
    return row.address != first.address || row.target != first.target;
  });
  std::set<std::string> kinds;
  for (const DestinationResult* row : rows) {
    if (!is_silent(*row)) {
      kinds.insert(kind_text(*row));
    }
  }
  layout.has_answer_kind = kinds.size() > 1;
  layout.has_not_sent = any_row(rows, [](const DestinationResult& row) { return row.not_sent > 0; });
  layout.has_loss = any_row(rows, [](const DestinationResult& row) { return row.lost > 0; });
  layout.has_p999 = any_row(rows, [](const DestinationResult& row) { return row.rtt.count >= kLeastForP999; });
  return layout;
}

std::vector<Column> columns_of(const Layout& layout, const RttScale& scale) {
  std::vector<Column> columns{{layout.has_host ? "target" : "port", Align::left}, {"sent"}};
  if (layout.has_not_sent) {
    columns.push_back({"not sent"});
  }
  if (layout.has_answer_kind) {
    columns.push_back({"answers", Align::left});
  }
  columns.push_back({"lost"});
  columns.push_back({"loss"});
  if (layout.has_loss) {
    columns.push_back({"", Align::left, Need::if_wide});
  }
  columns.push_back({"p50 " + scale.unit()});
  columns.push_back({"p99"});
  if (layout.has_p999) {
    columns.push_back({"p99.9", Align::right, Need::if_wide});
  }
  columns.push_back({"max"});
  return columns;
}

std::vector<std::string> cells_of(const Page& page, const TextContext& context, const Layout& layout,
                                  const DestinationResult& row) {
  const RttScale& scale = context.scale;
  std::string name = layout.has_host ? host_text(row) : std::string();
  if (layout.has_port) {
    name += (name.empty() ? "" : " ") + service_text(context.document.plan.protocol, row.port);
  }
  std::vector<std::string> cells{page.printable(name), fmt::format("{}", row.sent)};
  if (layout.has_not_sent) {
    cells.push_back(fmt::format("{}", row.not_sent));
  }
  if (layout.has_answer_kind) {
    cells.push_back(kind_text(row));
  }
  cells.push_back(fmt::format("{}", row.lost));
  cells.push_back(row.answered + row.lost > 0 ? percent(row.loss.value) : "-");
  if (layout.has_loss) {
    cells.push_back(bar(loss_of(row), 1.0, kBarWidth, page.charset()));
  }
  cells.push_back(quantile_text(scale, row.rtt.count, 1, row.rtt.p50_ns));
  cells.push_back(quantile_text(scale, row.rtt.count, kLeastForP99, row.rtt.p99_ns));
  if (layout.has_p999) {
    cells.push_back(quantile_text(scale, row.rtt.count, kLeastForP999, row.rtt.p999_ns));
  }
  cells.push_back(quantile_text(scale, row.rtt.count, 1, row.rtt.max_ns));
  return cells;
}

}  // namespace

void write_destination_table(Page& page, const TextContext& context) {
  std::vector<const DestinationResult*> rows = worst_first(context.document.result);
  if (rows.empty()) {
    return;
  }
  const Layout layout = layout_of(rows);
  Table table(columns_of(layout, context.scale));
  const std::size_t shown = std::min(kMostRows, rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_bad = is_silent(*rows[i]);
    table.add_row(cells_of(page, context, layout, *rows[i]), is_bad ? Style::bad : Style::plain, is_bad ? '!' : ' ');
  }
  page.blank();
  table.write(page, kTableIndent);
  if (shown < rows.size()) {
    const std::size_t left = rows.size() - shown;
    const double largest = loss_of(*rows[shown]);
    page.paragraph(kTableIndent, kTableIndent,
                   fmt::format("and {} that lost {}; all of them: --csv or --json", counted(left, "other", "others"),
                               largest > 0.0 ? "at most " + percent(largest) + " each" : std::string("nothing")));
  }
}

}  // namespace volley::report

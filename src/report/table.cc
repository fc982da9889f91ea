// A table of text cells with aligned columns; see the header.
#include "volley/report/table.h"

#include <algorithm>

namespace volley::report {
namespace {

// Between columns, where the page is wide enough for it; else one blank less.
constexpr std::string_view kGap = "   ";
constexpr std::string_view kNarrowGap = "  ";

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::size_t columns = display_width(cell);
  const std::string blanks(width > columns ? width - columns : 0, ' ');
  return align == Align::right ? blanks + cell : cell + blanks;
}

}  // namespace

void Table::add_row(std::vector<std::string> cells, Style style, char mark) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), style, mark});
}

std::vector<std::size_t> Table::column_widths() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    widths.push_back(display_width(column.header));
  }
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  return widths;
}

Table::Fit Table::fit(std::size_t page_width, std::size_t indent) const {
  Fit fit{{}, column_widths(), kGap};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    fit.columns.push_back(i);
  }
  const auto columns_taken = [&] {
    std::size_t taken = indent + fit.gap.size() * (fit.columns.size() - 1);
    for (const std::size_t i : fit.columns) {
      taken += fit.widths[i];
    }
    return taken;
  };
  if (columns_taken() > page_width) {
    fit.gap = kNarrowGap;
  }
  while (columns_taken() > page_width) {
    const auto spare = std::find_if(fit.columns.begin(), fit.columns.end(),
                                    [&](std::size_t i) { return columns_[i].need == Need::if_wide; });
    if (spare == fit.columns.end()) {
      break;
    }
    fit.columns.erase(spare);
  }
  return fit;
}

void Table::write(Page& page, std::size_t indent) const {
  const Fit fitted = fit(page.width(), indent);
  const auto joined = [&](const auto& cell_of) {
    std::string text(indent, ' ');
    for (std::size_t place = 0; place < fitted.columns.size(); ++place) {
      const std::size_t i = fitted.columns[place];
      text += place == 0 ? "" : fitted.gap;
      text += padded(cell_of(i), fitted.widths[i], columns_[i].align);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  page.line(page.styled(Style::faint, joined([&](std::size_t i) { return columns_[i].header; })));
  for (const Row& row : rows_) {
    std::string text = joined([&](std::size_t i) { return row.cells[i]; });
    if (indent >= 2 && text.size() >= indent) {
      text[indent - 2] = row.mark;
    }
    page.line(page.styled(row.style, text));
  }
}

}  // namespace volley::report

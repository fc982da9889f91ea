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

void Table::write(Page& page, std::size_t indent) const {
  const std::vector<std::size_t> widths = column_widths();
  std::size_t columns = indent + kGap.size() * (widths.size() - 1);
  for (const std::size_t width : widths) {
    columns += width;
  }
  const std::string_view gap = columns <= page.width() ? kGap : kNarrowGap;
  std::string header(indent, ' ');
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    header += i == 0 ? "" : gap;
    header += padded(columns_[i].header, widths[i], columns_[i].align);
  }
  page.line(page.styled(Style::faint, header));
  for (const Row& row : rows_) {
    std::string text(indent, ' ');
    if (indent >= 2) {
      text[indent - 2] = row.mark;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      text += i == 0 ? "" : gap;
      text += padded(row.cells[i], widths[i], columns_[i].align);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    page.line(page.styled(row.style, text));
  }
}

}  // namespace volley::report

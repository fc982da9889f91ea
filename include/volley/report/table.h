// A table of text cells with aligned columns.
//
// Invariant: every row has one cell for each column. Plain; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "volley/report/page.h"

namespace volley::report {

enum class Align : std::uint8_t { left, right };

struct Column {
  std::string header;
  Align align = Align::right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // `style` colours the whole row; `mark` stands before it ('!' or ' ').
  // Missing cells are empty.
  void add_row(std::vector<std::string> cells, Style style = Style::plain, char mark = ' ');
  std::size_t row_count() const { return rows_.size(); }

  // Writes header and rows, each after `indent` blanks (the mark is the last but one of them).
  void write(Page& page, std::size_t indent) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Style style = Style::plain;
    char mark = ' ';
  };

  std::vector<std::size_t> column_widths() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace volley::report

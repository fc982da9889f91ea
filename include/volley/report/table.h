// A table of text cells with aligned columns.
//
// Invariant: every row has one cell for each column. Plain; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "volley/report/page.h"

namespace volley::report {

enum class Align : std::uint8_t { left, right };

// What a narrow page does with a column: a picture may go before a number does.
enum class Need : std::uint8_t { always, if_wide };

struct Column {
  std::string header;
  Align align = Align::right;
  Need need = Need::always;
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

  // How the table fits onto a page: which columns, how wide, what is between them.
  struct Fit {
    std::vector<std::size_t> columns;  // indices
    std::vector<std::size_t> widths;   // of all columns
    std::string_view gap;
  };

  std::vector<std::size_t> column_widths() const;
  Fit fit(std::size_t page_width, std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace volley::report

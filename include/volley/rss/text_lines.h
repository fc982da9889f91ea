// Lines of a text that a user gave, numbered, without blanks at either end.
//
// Pure; any thread. The views point into the text that was split.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volley::rss {

struct TextLine {
  std::size_t number = 0;  // from 1
  std::string_view text;   // spaces, tabs and carriage returns trimmed; may be empty
};

// Numbers go on from `first_number`.
std::vector<TextLine> split_lines(std::string_view text, std::size_t first_number = 1);

std::string_view trimmed(std::string_view text);

// The text cut to `most` bytes; what isn't printable ASCII is shown as '?'.
std::string printable(std::string_view text, std::size_t most);

// The text in double quotes, cut to a length that fits a line; bytes that
// aren't printable ASCII are shown as '?'.
std::string in_quotes(std::string_view text);

// A decimal number that fills the whole text and is at most `most`.
std::optional<std::size_t> parse_number(std::string_view text, std::size_t most);

}  // namespace volley::rss

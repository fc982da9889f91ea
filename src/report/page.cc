// The text report while it is written; see the header.
#include "volley/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace volley::report {
namespace {

constexpr std::size_t kLabelWidth = 9;
constexpr std::size_t kLabelIndent = 2;
constexpr char kEscape = '\x1b';

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

// The length of the well-formed UTF-8 sequence (RFC 3629 section 4) at the
// front of `text`, or nothing.
std::optional<std::size_t> sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  if (lead < 0x80U) {
    return 1;
  }
  if (lead >= 0xc2U && lead <= 0xdfU) {
    length = 2;
  } else if (lead >= 0xe0U && lead <= 0xefU) {
    length = 3;
  } else if (lead >= 0xf0U && lead <= 0xf4U) {
    length = 4;
  }
  if (length == 0 || text.size() < length) {
    return std::nullopt;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) {
      return std::nullopt;
    }
  }
  const auto second = static_cast<unsigned char>(text[1]);
  const bool overlong = (lead == 0xe0U && second < 0xa0U) || (lead == 0xf0U && second < 0x90U);
  const bool surrogate = lead == 0xedU && second > 0x9fU;
  const bool beyond = lead == 0xf4U && second > 0x8fU;
  return overlong || surrogate || beyond ? std::nullopt : std::optional(length);
}

// C0, DEL and C1 (U+0080 to U+009F): what a terminal might obey.
bool is_control(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  return lead < 0x20U || lead == 0x7fU || (lead == 0xc2U && static_cast<unsigned char>(sequence[1]) < 0xa0U);
}

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\x1b[1m";
    case Style::bad:
      return "\x1b[1;31m";
    case Style::warning:
      return "\x1b[33m";
    case Style::faint:
      return "\x1b[2m";
  }
  return "";
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) {
      words.emplace_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return words;
}

std::string label_prefix(std::string_view label) {
  return fmt::format("{}{}{}", std::string(kLabelIndent, ' '), label,
                     std::string(label.size() < kLabelWidth ? kLabelWidth - label.size() : 1, ' '));
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEscape) {
      i = std::min(text.find('m', i), text.size());
    } else if (!is_continuation(text[i])) {
      ++columns;
    }
  }
  return columns;
}

std::string printable(std::string_view text, Charset charset) {
  std::string result;
  while (!text.empty()) {
    const std::optional<std::size_t> length = sequence_length(text);
    const std::string_view sequence = text.substr(0, length.value_or(1));
    text.remove_prefix(sequence.size());
    if (!length) {
      result += charset == Charset::utf8 ? "\xef\xbf\xbd" : "?";
    } else if (is_control(sequence) || (charset == Charset::ascii && *length > 1)) {
      result += "?";
    } else {
      result += sequence;
    }
  }
  return result;
}

std::string Page::styled(Style style, std::string_view text) const {
  if (!options_.colour || style == Style::plain || text.empty()) {
    return std::string(text);
  }
  return fmt::format("{}{}\x1b[0m", escape_of(style), text);
}

void Page::line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(' ');
  text_ += end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
  text_ += '\n';
}

void Page::blank() {
  if (!text_.empty() && !text_.ends_with("\n\n")) {
    text_ += '\n';
  }
}

void Page::labelled(std::string_view label, std::string_view text) {
  broken(label_prefix(label), kLabelIndent + kLabelWidth, words_of(text), " ");
}

void Page::labelled_fields(std::string_view label, const std::vector<std::string>& fields) {
  broken(label_prefix(label), kLabelIndent + kLabelWidth, fields, "   ");
}

void Page::paragraph(std::size_t indent, std::size_t hanging, std::string_view text) {
  broken(std::string(indent, ' '), hanging, words_of(text), " ");
}

void Page::fields(std::size_t hanging, const std::vector<std::string>& fields) {
  broken("", hanging, fields, "  ");
}

void Page::broken(std::string_view first_prefix, std::size_t hanging, const std::vector<std::string>& pieces,
                  std::string_view gap) {
  std::string current(first_prefix);
  std::size_t columns = display_width(current);
  bool is_empty = true;
  for (const std::string& piece : pieces) {
    const std::size_t piece_columns = display_width(piece);
    if (!is_empty && columns + gap.size() + piece_columns > options_.width) {
      line(current);
      current.assign(hanging, ' ');
      columns = hanging;
      is_empty = true;
    }
    if (!is_empty) {
      current += gap;
      columns += gap.size();
    }
    current += piece;
    columns += piece_columns;
    is_empty = false;
  }
  line(current);
}

}  // namespace volley::report

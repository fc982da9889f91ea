// The text report while it is written: lines of limited width, labels, styles.
//
// Invariant: no line ends in a blank, no text from outside (names, notes,
// findings) brings control characters or broken UTF-8 onto a terminal. One
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "volley/report/text.h"

namespace volley::report {

enum class Style : std::uint8_t { plain, strong, bad, warning, faint };

// Columns that `text` takes on a terminal: characters, escape sequences left out.
std::size_t display_width(std::string_view text);

// `text` with every control character and invalid byte replaced by '?' (with
// UTF-8 by U+FFFD); without UTF-8 every other non-ASCII character too.
std::string printable(std::string_view text, Charset charset);

class Page {
 public:
  explicit Page(const TextOptions& options) : options_(options) {}

  Charset charset() const { return options_.charset; }
  std::size_t width() const { return options_.width; }
  std::string printable(std::string_view text) const { return report::printable(text, options_.charset); }
  // `text` in the style, if colour was asked for.
  std::string styled(Style style, std::string_view text) const;

  // One line as it stands, however long: for what is pasted into a shell.
  void line(std::string_view text);
  void blank();
  // "  label    text", broken between words; further lines begin below the text.
  void labelled(std::string_view label, std::string_view text);
  // The same, but broken only between the fields, which three blanks part.
  void labelled_fields(std::string_view label, const std::vector<std::string>& fields);
  // Words of `text`, the first line after `indent` blanks, further ones after `hanging`.
  void paragraph(std::size_t indent, std::size_t hanging, std::string_view text);
  // Fields that two blanks part, from the first column; further lines after `hanging` blanks.
  void fields(std::size_t hanging, const std::vector<std::string>& fields);

  // Finished lines of another page.
  void append(std::string_view lines) { text_ += lines; }
  // True once a blank line has parted the page into sections.
  bool has_sections() const { return text_.find("\n\n") != std::string::npos; }

  std::string take() { return std::move(text_); }

 private:
  void broken(std::string_view first_prefix, std::size_t hanging, const std::vector<std::string>& pieces,
              std::string_view gap);

  TextOptions options_;
  std::string text_;
};

}  // namespace volley::report

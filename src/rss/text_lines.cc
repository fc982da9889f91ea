// Splits and quotes text; see the header. Pure; any thread.
#include "volley/rss/text_lines.h"

#include <algorithm>
#include <charconv>

namespace volley::rss {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::size_t kMaxQuotedBytes = 80;

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<TextLine> split_lines(std::string_view text, std::size_t first_number) {
  std::vector<TextLine> lines;
  std::size_t number = first_number;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back({number, trimmed(text.substr(0, end))});
    ++number;
    if (end == std::string_view::npos) {
      break;
    }
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string out(text.substr(0, most));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return out;
}

std::string in_quotes(std::string_view text) {
  return "\"" + printable(text, kMaxQuotedBytes) + (text.size() > kMaxQuotedBytes ? "...\"" : "\"");
}

std::optional<std::size_t> parse_number(std::string_view text, std::size_t most) {
  std::size_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || status != std::errc{} || end != text.data() + text.size() || value > most) {
    return std::nullopt;
  }
  return value;
}

}  // namespace volley::rss

// Names and number formats; see the header. Pure; any thread.
#include "volley/rss/words.h"

#include <array>
#include <charconv>

namespace volley::rss {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

std::string_view function_name(HashFunction function) {
  switch (function) {
    case HashFunction::toeplitz:
      return "toeplitz";
    case HashFunction::xor8:
      return "xor";
    case HashFunction::crc32:
      return "crc32";
  }
  return "";
}

std::string_view transform_name(InputTransform transform) {
  switch (transform) {
    case InputTransform::none:
      return "none";
    case InputTransform::symmetric_xor:
      return "symmetric-xor";
    case InputTransform::symmetric_or_xor:
      return "symmetric-or-xor";
  }
  return "";
}

std::string_view fields_name(HashFields fields) {
  switch (fields) {
    case HashFields::addresses:
      return "addresses";
    case HashFields::addresses_and_ports:
      return "addresses_and_ports";
    case HashFields::none:
      return "none";
  }
  return "";
}

std::string hex_bytes(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const auto byte : bytes) {
    text += text.empty() ? "" : ":";
    text += kHexDigits[byte >> 4U];
    text += kHexDigits[byte & 0xfU];
  }
  return text;
}

std::string hex_hash(std::uint32_t hash) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) {
    text += kHexDigits[(hash >> static_cast<unsigned>(shift)) & 0xfU];
  }
  return text;
}

std::string percent(double ratio) {
  std::array<char, 32> buffer{};
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), ratio * 100, std::chars_format::fixed, 1);
  return status == std::errc{} ? std::string(buffer.data(), end) + " %" : "? %";
}

std::string number_ranges(std::span<const std::size_t> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : " ") + std::to_string(numbers[i]);
    if (last > i) {
      text += (last == i + 1 ? " " : "-") + std::to_string(numbers[last]);
    }
    i = last + 1;
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t first_column, std::string_view indent, std::size_t width) {
  std::string out;
  std::size_t column = first_column;
  bool at_start = true;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    text.remove_prefix(text.empty() ? 0 : 1);
    if (!at_start && column + 1 + word.size() > width) {
      out += "\n";
      out += indent;
      column = indent.size();
      at_start = true;
    }
    if (!at_start) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
    at_start = false;
  }
  return out;
}

}  // namespace volley::rss

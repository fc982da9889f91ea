// Reads the text form of `ethtool -x`; see ethtool_raw.h. Pure; any thread.
//
// The output has up to four sections, each with a heading of its own. A key
// such as 12:9f:... looks like a row of the table, so rows end at the next
// heading and nowhere else.
#include <algorithm>
#include <optional>

#include "volley/rss/ethtool_raw.h"
#include "volley/rss/known_keys.h"

namespace volley::rss {
namespace {

constexpr std::string_view kTableHeading = "RX flow hash indirection table for ";
constexpr std::string_view kKeyHeading = "RSS hash key:";
constexpr std::string_view kFunctionHeading = "RSS hash function:";
constexpr std::string_view kTransformHeading = "RSS input transformation:";
constexpr std::string_view kRefusal = "Operation not supported";
constexpr std::size_t kMaxQueue = 65535;

enum class Section : std::uint8_t { before, table, key, function, transform, after };

using Problem = std::optional<EthtoolError>;

class Reader {
 public:
  std::variant<RawEthtool, EthtoolError> read(std::span<const TextLine> lines) {
    for (const auto& line : lines) {
      if (line.text.empty()) {
        continue;
      }
      if (first_.text.empty()) {
        first_ = line;
      }
      if (auto problem = read_line(line)) {
        return *problem;
      }
    }
    return finish();
  }

 private:
  Problem read_line(const TextLine& line) {
    if (line.text.starts_with(kTableHeading)) {
      return begin_table(line);
    }
    for (const auto& [heading, section] : {std::pair{kKeyHeading, Section::key},
                                           {kFunctionHeading, Section::function},
                                           {kTransformHeading, Section::transform}}) {
      if (line.text == heading) {
        return begin(section, line);
      }
    }
    switch (section_) {
      case Section::before:
      case Section::after:
        return std::nullopt;
      case Section::table:
        return read_row(line);
      case Section::key:
        return read_key(line);
      case Section::function:
        return read_switch(line, raw_.functions_on, raw_.function_line);
      case Section::transform:
        return read_switch(line, raw_.transforms_on, raw_.transform_line);
    }
    return std::nullopt;
  }

  Problem begin(Section section, const TextLine& line) {
    auto& seen = seen_[static_cast<std::size_t>(section)];
    if (seen != 0) {
      return EthtoolError{line.number, "a second " + in_quotes(line.text) + ", the first is in line " +
                                           std::to_string(seen) + ": give the output for one interface"};
    }
    seen = line.number;
    section_ = section;
    return std::nullopt;
  }

  // "... for eth0 with 8 RX ring(s):"
  Problem begin_table(const TextLine& line) {
    const auto rest = line.text.substr(kTableHeading.size());
    const auto with = rest.find(" with ");
    const auto name = rest.substr(0, with);
    const auto count = with == std::string_view::npos ? std::string_view{} : rest.substr(with + 6);
    const auto rings = parse_number(count.substr(0, count.find(' ')), kMaxQueue + 1);
    if (name.empty() || !rings) {
      return EthtoolError{line.number, "cut off: " + in_quotes(line.text)};
    }
    if (auto problem = begin(Section::table, line)) {
      return problem;
    }
    raw_.interface_name = name;
    raw_.ring_count = static_cast<std::uint32_t>(*rings);
    raw_.table_line = line.number;
    return std::nullopt;
  }

  // "   16:      0     1     2 ..."
  Problem read_row(const TextLine& line) {
    if (line.text == kRefusal && raw_.table.empty()) {
      raw_.table_refusal = line.text;
      raw_.table_line = line.number;
      return std::nullopt;
    }
    const auto colon = line.text.find(':');
    const auto first = parse_number(line.text.substr(0, colon), std::string_view::npos);
    if (colon == std::string_view::npos || !first) {
      return EthtoolError{line.number, in_quotes(line.text) + " is not a row of the table"};
    }
    if (*first != raw_.table.size()) {
      return EthtoolError{line.number, "row " + std::to_string(*first) + " of the table, and row " +
                                           std::to_string(raw_.table.size()) + " is due"};
    }
    auto rest = trimmed(line.text.substr(colon + 1));
    if (rest.empty()) {
      return EthtoolError{line.number, "a row of the table without a queue"};
    }
    while (!rest.empty()) {
      const auto word = rest.substr(0, rest.find_first_of(" \t"));
      const auto queue = parse_number(word, kMaxQueue);
      if (!queue) {
        return EthtoolError{line.number, in_quotes(word) + " is not a queue number"};
      }
      raw_.table.push_back(static_cast<QueueId>(*queue));
      rest = trimmed(rest.substr(word.size()));
    }
    raw_.table_line = line.number;
    return std::nullopt;
  }

  Problem read_key(const TextLine& line) {
    if (raw_.key_line != 0) {
      return leave(line);
    }
    raw_.key_line = line.number;
    raw_.key = parse_hex_key(line.text);
    if (raw_.key.empty()) {
      if (line.text != kRefusal) {
        return EthtoolError{line.number, in_quotes(line.text) + " is not a hash key"};
      }
      raw_.key_refusal = line.text;
    }
    return std::nullopt;
  }

  // "    toeplitz: on", or "    Unknown hash function: 0x8".
  Problem read_switch(const TextLine& line, std::vector<std::string>& on, std::size_t& line_of_on) {
    if (line.text == kRefusal) {
      return std::nullopt;
    }
    const auto colon = line.text.find(": ");
    const auto name = line.text.substr(0, colon);
    const auto value = colon == std::string_view::npos ? std::string_view{} : trimmed(line.text.substr(colon + 2));
    if (value == "off") {
      return std::nullopt;
    }
    if (value == "on" || (name.starts_with("Unknown") && value.starts_with("0x"))) {
      on.emplace_back(value == "on" ? name : value);
      line_of_on = line.number;
      return std::nullopt;
    }
    return leave(line);
  }

  // What follows is of no section known: it is left out until a heading comes.
  Problem leave(const TextLine& line) {
    section_ = Section::after;
    raw_.notes.push_back("line " + std::to_string(line.number) +
                         " is not understood and was left out: " + in_quotes(line.text));
    return std::nullopt;
  }

  std::variant<RawEthtool, EthtoolError> finish() {
    if (std::all_of(std::begin(seen_), std::end(seen_), [](std::size_t line) { return line == 0; })) {
      return nothing_found();
    }
    if (raw_.table.empty() && raw_.table_refusal.empty()) {
      raw_.table_refusal = raw_.table_line == 0 ? "no " + in_quotes(kTableHeading) + " in the text"
                                                : "the text ends before its first row";
    }
    if (raw_.key.empty() && raw_.key_refusal.empty()) {
      raw_.key_line = seen_[static_cast<std::size_t>(Section::key)];
      raw_.key_refusal =
          raw_.key_line == 0 ? "no " + in_quotes(kKeyHeading) + " in the text" : "nothing below its heading";
    }
    return std::move(raw_);
  }

  EthtoolError nothing_found() const {
    const auto& text = first_.text;
    if (text.empty()) {
      return {0, "empty, and the output of ethtool -x is needed"};
    }
    if (text.starts_with("Cannot get ") || text.starts_with("netlink error:") || text.starts_with("ethtool:")) {
      return {first_.number, "ethtool could not show an RSS table: " + in_quotes(text)};
    }
    return {first_.number, in_quotes(text) + " is not the output of ethtool -x"};
  }

  RawEthtool raw_;
  Section section_ = Section::before;
  TextLine first_;            // the first that is not empty
  std::size_t seen_[6] = {};  // line of each section's heading
};

}  // namespace

std::variant<RawEthtool, EthtoolError> read_ethtool_text(std::span<const TextLine> lines) {
  return Reader{}.read(lines);
}

}  // namespace volley::rss

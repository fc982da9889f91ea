// Reads the JSON form of `ethtool -x`; see ethtool_raw.h. Pure; any thread.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "volley/rss/ethtool_raw.h"

namespace volley::rss {
namespace {

using nlohmann::json;
using Problem = std::optional<EthtoolError>;

constexpr std::uint64_t kMaxQueue = 65535;
constexpr std::uint64_t kMaxKeyByte = 255;

std::size_t line_at(std::string_view text, std::size_t offset, std::size_t first_line) {
  const auto before = text.substr(0, std::min(offset, text.size()));
  return first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

class Reader {
 public:
  Reader(std::string_view document, std::size_t first_line) : document_(document), first_line_(first_line) {}

  std::variant<RawEthtool, EthtoolError> read() {
    json parsed;
    try {
      parsed = json::parse(document_);
    } catch (const json::parse_error& error) {
      const auto offset = error.byte == 0 ? 0 : error.byte - 1;
      return EthtoolError{line_at(document_, offset, first_line_), "not valid JSON from here on"};
    }
    const json* object = &parsed;
    if (parsed.is_array()) {
      if (parsed.empty()) {
        return EthtoolError{first_line_, "an empty JSON list: ethtool could not show an RSS table"};
      }
      if (parsed.size() > 1) {
        return EthtoolError{first_line_,
                            "RSS of " + std::to_string(parsed.size()) + " interfaces: give the output for one"};
      }
      object = &parsed.front();
    }
    if (!object->is_object()) {
      return EthtoolError{first_line_, "JSON, but not the output of ethtool --json -x"};
    }
    return read_object(*object);
  }

 private:
  std::size_t line_of(std::string_view name) const {
    const auto at = document_.find("\"" + std::string(name) + "\"");
    return at == std::string_view::npos ? first_line_ : line_at(document_, at, first_line_);
  }

  std::variant<RawEthtool, EthtoolError> read_object(const json& object) {
    static constexpr std::string_view kFields[] = {"rss-indirection-table", "rss-hash-key", "rss-hash-function",
                                                   "rss-input-transformation"};
    if (std::none_of(std::begin(kFields), std::end(kFields), [&](auto name) { return object.contains(name); })) {
      return EthtoolError{first_line_, "JSON, but not the output of ethtool --json -x"};
    }
    if (const auto name = object.find("ifname"); name != object.end() && name->is_string()) {
      raw_.interface_name = name->get<std::string>();
    }
    for (const auto& problem : {read_table(object), read_key(object), read_function(object), read_transform(object)}) {
      if (problem) {
        return *problem;
      }
    }
    return std::move(raw_);
  }

  // A list of whole numbers from 0 to `most`.
  template <typename Value>
  Problem read_numbers(const json& list, std::string_view name, std::uint64_t most, std::vector<Value>& out) {
    if (!list.is_array()) {
      return EthtoolError{line_of(name), in_quotes(name) + " is not a list"};
    }
    for (const auto& item : list) {
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() > most) {
        return EthtoolError{line_of(name), in_quotes(name) + ": item " + std::to_string(out.size() + 1) +
                                               " is not a number from 0 to " + std::to_string(most)};
      }
      out.push_back(static_cast<Value>(item.get<std::uint64_t>()));
    }
    return std::nullopt;
  }

  Problem read_table(const json& object) {
    constexpr std::string_view kName = "rss-indirection-table";
    const auto list = object.find(kName);
    if (list == object.end()) {
      raw_.table_refusal = "no " + in_quotes(kName) + " in the JSON";
      return std::nullopt;
    }
    raw_.table_line = line_of(kName);
    raw_.table_refusal = "an empty list";
    return read_numbers(*list, kName, kMaxQueue, raw_.table);
  }

  Problem read_key(const json& object) {
    constexpr std::string_view kName = "rss-hash-key";
    const auto list = object.find(kName);
    if (list == object.end()) {
      raw_.key_refusal = "no " + in_quotes(kName) + " in the JSON";
      return std::nullopt;
    }
    raw_.key_line = line_of(kName);
    raw_.key_refusal = "an empty list";
    return read_numbers(*list, kName, kMaxKeyByte, raw_.key);
  }

  Problem read_function(const json& object) {
    constexpr std::string_view kName = "rss-hash-function";
    const auto name = object.find(kName);
    if (name == object.end()) {
      return std::nullopt;
    }
    raw_.function_line = line_of(kName);
    if (!name->is_string()) {
      return EthtoolError{raw_.function_line, in_quotes(kName) + " is not a name"};
    }
    raw_.functions_on.push_back(name->get<std::string>());
    return std::nullopt;
  }

  // Switches by name, and "raw", which is there only if bits are set that this
  // ethtool has no name for.
  Problem read_transform(const json& object) {
    constexpr std::string_view kName = "rss-input-transformation";
    const auto switches = object.find(kName);
    if (switches == object.end()) {
      return std::nullopt;
    }
    raw_.transform_line = line_of(kName);
    if (!switches->is_object()) {
      return EthtoolError{raw_.transform_line, in_quotes(kName) + " is not an object"};
    }
    for (const auto& [name, value] : switches->items()) {
      if (value.is_boolean() ? value.get<bool>() : value.is_number_unsigned() && name == "raw") {
        raw_.transforms_on.push_back(name);
      } else if (!value.is_boolean()) {
        return EthtoolError{raw_.transform_line, in_quotes(name) + " is neither true nor false"};
      }
    }
    return std::nullopt;
  }

  std::string_view document_;
  std::size_t first_line_;
  RawEthtool raw_;
};

}  // namespace

std::variant<RawEthtool, EthtoolError> read_ethtool_json(std::string_view document, std::size_t first_line) {
  return Reader(document, first_line).read();
}

std::size_t json_extent(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace volley::rss

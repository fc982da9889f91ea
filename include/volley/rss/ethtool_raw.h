// What stands in an `ethtool -x` output, before anything is checked: the form
// that the readers of text and of JSON have in common.
//
// A plain value; any thread. ethtool.h makes a configuration of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "volley/rss/config.h"
#include "volley/rss/ethtool.h"
#include "volley/rss/text_lines.h"

namespace volley::rss {

struct RawEthtool {
  std::string interface_name;
  std::uint32_t ring_count = 0;
  std::vector<QueueId> table;
  std::size_t table_line = 0;  // of the last row, or of what stands in its place
  std::string table_refusal;   // "Operation not supported", or what is missing
  std::vector<std::uint8_t> key;
  std::size_t key_line = 0;
  std::string key_refusal;
  std::vector<std::string> functions_on;
  std::size_t function_line = 0;  // of the one that is on; 0: not said
  std::vector<std::string> transforms_on;
  std::size_t transform_line = 0;
  std::vector<std::string> notes;
};

// Lines of the text form, without what follows of `ethtool -n`.
std::variant<RawEthtool, EthtoolError> read_ethtool_text(std::span<const TextLine> lines);

// One JSON document that begins at line `first_line` of what the user gave.
std::variant<RawEthtool, EthtoolError> read_ethtool_json(std::string_view document, std::size_t first_line);

// One past the end of the JSON value that `text` begins with, by its brackets;
// the text's size if they never close.
std::size_t json_extent(std::string_view text);

}  // namespace volley::rss

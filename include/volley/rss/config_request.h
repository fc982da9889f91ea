// From what the user gave (--rss, --rss-key, --rss-queues, --rss-table) to a
// configuration; the same for every command.
//
// Pure: the text of the file comes in as an argument. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "volley/rss/config.h"
#include "volley/rss/ethtool.h"

namespace volley::rss {

struct ConfigRequest {
  std::optional<std::string> text{};  // content of --rss
  std::string text_name{};            // what the user named: a file or "-"
  std::optional<std::string> key{};   // --rss-key: hexadecimal or a published key's name
  std::optional<std::uint32_t> queues{};
  std::optional<std::uint32_t> table_size{};
};

// True if nothing at all was given: the target's RSS is unknown.
bool is_empty(const ConfigRequest& request);

// Either --rss, whose gaps --rss-key and --rss-queues may fill (a key given is
// used even if the text has one), or --rss-key with --rss-queues: a table
// filled as most drivers do. The string names the option and what is wrong:
// "--rss web7.txt: line 14: 129 entries in the table, and a table has a power of two".
std::variant<EthtoolRss, std::string> make_config(const ConfigRequest& request);

}  // namespace volley::rss

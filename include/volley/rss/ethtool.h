// What a target's `ethtool -x` output says, in text or in JSON, alone or
// followed by the outputs of `ethtool -n DEV rx-flow-hash PROTOCOL`.
//
// Pure: any text in, a configuration or one line with the reason out; never
// throws, whatever the bytes. Any thread. Forms known: ethtool 6.1 to 7.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "volley/rss/config.h"

namespace volley::rss {

// More text than this is not read: 8192 entries make less than 80 kB.
inline constexpr std::size_t kMaxEthtoolTextBytes = std::size_t{1} << 20U;

struct EthtoolError {
  std::size_t line = 0;  // from 1; 0 if it concerns the whole
  std::string what;      // "129 entries in the table, and a table has a power of two"

  friend bool operator==(const EthtoolError&, const EthtoolError&) = default;
};

// "line 14: 129 entries ...", or the reason alone.
std::string to_string(const EthtoolError& error);

// Whether the text names the hash function.
enum class FunctionSource : std::uint8_t { stated, assumed };

// Whether the text has the `ethtool -n` output for a protocol.
enum class FieldsSource : std::uint8_t { stated, assumed };

// The text as understood; what it doesn't say stays empty.
struct EthtoolRss {
  RssConfig config;               // key or table empty: the text shows none (or zeros, see notes)
  std::string interface_name;     // empty: not said
  std::uint32_t ring_count = 0;   // of the table's heading; 0: not said (JSON)
  std::uint32_t rss_context = 0;  // of `ethtool -n ... context N`; 0: the default
  FunctionSource function_source = FunctionSource::assumed;
  FieldsSource tcp_fields_source = FieldsSource::assumed;
  FieldsSource udp_fields_source = FieldsSource::assumed;
  // Why the key or the table is missing, with the line: "line 18: no hash key (Operation not supported)".
  EthtoolError missing_key;
  EthtoolError missing_table;
  std::vector<std::string> notes;  // what the user should know, a sentence each, without a period

  friend bool operator==(const EthtoolRss&, const EthtoolRss&) = default;
};

// Reads all that the text says, even if no queue can be computed with it.
std::variant<EthtoolRss, EthtoolError> read_ethtool(std::string_view text);

// Complete configurations only: an error if key or table are missing.
std::variant<RssConfig, EthtoolError> parse_ethtool_x(std::string_view text);

}  // namespace volley::rss

// A TARGET as the user writes it: host, host:port, host:80,443,8000-8010,
// [v6]:port, and an IPv6 address without brackets or port.
//
// Pure; any thread. Throws BadQuantity for a text that is none of these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volley::app {

struct TargetText {
  std::string host;                  // name or address, a zone (%eth0) included, without brackets
  std::vector<std::uint16_t> ports;  // empty: not given

  friend bool operator==(const TargetText&, const TargetText&) = default;
};

TargetText parse_target(std::string_view text);

// One target a line; empty lines and what follows a '#' don't count. A line
// that can't be read is named by its number.
std::vector<TargetText> parse_target_lines(std::string_view text);

}  // namespace volley::app

// Fuzz target of rss/flow_text and rss/known_keys: flows, endpoints and keys as
// a user could write them.
//
// Beyond what sanitizers see, it checks that what was read is read again from
// what is written, and that an error is one printable line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>

#include "volley/rss/flow_text.h"
#include "volley/rss/known_keys.h"
#include "volley/rss/words.h"

namespace {

using namespace volley;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void require_one_line(const std::string& text) {
  require(!text.empty());
  require(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

void check_flow(const std::string& text, wire::IpProtocol protocol) {
  const auto result = rss::parse_flow(text, protocol);
  if (const auto* error = std::get_if<std::string>(&result)) {
    require_one_line(*error);
    return;
  }
  const auto& flow = std::get<wire::Flow>(result);
  const auto again = rss::parse_flow(rss::flow_text(flow), protocol);
  require(std::holds_alternative<wire::Flow>(again) && std::get<wire::Flow>(again) == flow);
}

void check_key(const std::string& text) {
  const auto result = rss::parse_key(text);
  if (const auto* error = std::get_if<std::string>(&result)) {
    require_one_line(*error);
    return;
  }
  const auto& key = std::get<rss::ParsedKey>(result);
  const auto again = rss::parse_key(rss::hex_bytes(key.bytes));
  require(std::holds_alternative<rss::ParsedKey>(again) && std::get<rss::ParsedKey>(again) == key);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  for (const auto protocol : {wire::IpProtocol::tcp, wire::IpProtocol::udp, wire::IpProtocol::icmp}) {
    check_flow(text, protocol);
  }
  const auto flows = rss::parse_flows(text, wire::IpProtocol::tcp);
  if (const auto* error = std::get_if<std::string>(&flows)) {
    require_one_line(*error);
  }
  check_key(text);
  return 0;
}

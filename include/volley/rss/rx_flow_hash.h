// What `ethtool -n DEV rx-flow-hash PROTOCOL` says: the header fields that the
// NIC hashes for one protocol.
//
// Pure; never throws. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "volley/rss/config.h"
#include "volley/rss/ethtool.h"
#include "volley/rss/text_lines.h"
#include "volley/wire/flow.h"

namespace volley::rss {

struct RxFlowHash {
  wire::IpProtocol protocol = wire::IpProtocol::tcp;  // tcp or udp
  wire::IpFamily family = wire::IpFamily::v4;
  HashFields fields = HashFields::addresses;
  std::uint32_t rss_context = 0;
  std::size_t line = 0;  // where its heading stands

  friend bool operator==(const RxFlowHash&, const RxFlowHash&) = default;
};

// The one block of the text; other protocols than TCP and UDP are an error.
std::variant<RxFlowHash, EthtoolError> parse_rx_flow_hash(std::string_view text);

// True for a line that begins a block, or for ethtool's refusal to print one.
bool begins_rx_flow_hash(std::string_view line);

// All blocks of TCP and UDP in these lines; blocks of other protocols and
// refusals are passed over.
std::variant<std::vector<RxFlowHash>, EthtoolError> read_rx_flow_hashes(std::span<const TextLine> lines);

}  // namespace volley::rss

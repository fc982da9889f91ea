// Reads `ethtool -n DEV rx-flow-hash PROTOCOL`; see the header. Pure; any thread.
#include "volley/rss/rx_flow_hash.h"

#include <optional>
#include <string>

namespace volley::rss {
namespace {

constexpr std::string_view kFieldsHeading = "use these fields for computing Hash flow key:";
constexpr std::string_view kDiscarded = "- All matching flows discarded on RX";
constexpr std::string_view kContextHeading = "For RSS context ";
constexpr std::string_view kRefusal = "Cannot get RX network flow hashing options";

struct FlowKind {
  std::string_view words;  // as the heading has them
  wire::IpProtocol protocol;
  wire::IpFamily family;
};

constexpr FlowKind kFlowKinds[] = {
    {"TCP over IPV4", wire::IpProtocol::tcp, wire::IpFamily::v4},
    {"TCP over IPV6", wire::IpProtocol::tcp, wire::IpFamily::v6},
    {"UDP over IPV4", wire::IpProtocol::udp, wire::IpFamily::v4},
    {"UDP over IPV6", wire::IpProtocol::udp, wire::IpFamily::v6},
};

// Fields of a block, one bit each.
enum Field : unsigned { kSource = 1, kDestination = 2, kSourcePort = 4, kDestinationPort = 8 };

struct FieldName {
  std::string_view words;
  Field field;
};

constexpr FieldName kFieldNames[] = {
    {"IP SA", kSource},
    {"IP DA", kDestination},
    {"L4 bytes 0 & 1 [TCP/UDP src port]", kSourcePort},
    {"L4 bytes 2 & 3 [TCP/UDP dst port]", kDestinationPort},
};

const FlowKind* kind_of(std::string_view heading) {
  for (const auto& kind : kFlowKinds) {
    if (heading.starts_with(std::string(kind.words) + " flows")) {
      return &kind;
    }
  }
  return nullptr;
}

std::optional<unsigned> field_of(std::string_view line) {
  for (const auto& name : kFieldNames) {
    if (line == name.words) {
      return name.field;
    }
  }
  return std::nullopt;
}

// "For RSS context 1:"
std::variant<std::uint32_t, EthtoolError> read_context(const TextLine& line) {
  auto rest = line.text.substr(kContextHeading.size());
  rest = rest.substr(0, rest.find(':'));
  const auto context = parse_number(rest, 0xffffffffU);
  if (!context) {
    return EthtoolError{line.number, in_quotes(rest) + " is not the number of an RSS context"};
  }
  return static_cast<std::uint32_t>(*context);
}

std::variant<HashFields, EthtoolError> fields_of(unsigned fields, bool is_none, const FlowKind& kind,
                                                 std::size_t line) {
  if (is_none && fields == 0) {
    return HashFields::none;
  }
  if (fields == (kSource | kDestination)) {
    return HashFields::addresses;
  }
  if (fields == (kSource | kDestination | kSourcePort | kDestinationPort)) {
    return HashFields::addresses_and_ports;
  }
  return EthtoolError{line, std::string(kind.words) +
                                " is hashed on neither both addresses nor both addresses and both ports, and volley "
                                "computes only these"};
}

// The block whose heading is lines[at]; `at` moves past it.
std::variant<RxFlowHash, EthtoolError> read_block(std::span<const TextLine> lines, std::size_t& at,
                                                  const FlowKind& kind) {
  RxFlowHash block{kind.protocol, kind.family, HashFields::none, 0, lines[at].number};
  const bool is_discarded = lines[at].text.find(kDiscarded) != std::string_view::npos;
  ++at;
  if (is_discarded) {
    return EthtoolError{block.line, std::string(kind.words) + " is discarded by this NIC: no probe would be answered"};
  }
  unsigned fields = 0;
  bool is_none = false;
  for (; at < lines.size() && !lines[at].text.empty() && !begins_rx_flow_hash(lines[at].text); ++at) {
    if (lines[at].text == "None") {
      is_none = true;
    } else if (const auto field = field_of(lines[at].text)) {
      fields |= *field;
    } else {
      return EthtoolError{lines[at].number, std::string(kind.words) + " is hashed on " + in_quotes(lines[at].text) +
                                                ", which volley can't compute"};
    }
  }
  const auto result = fields_of(fields, is_none, kind, block.line);
  if (const auto* error = std::get_if<EthtoolError>(&result)) {
    return *error;
  }
  block.fields = std::get<HashFields>(result);
  return block;
}

}  // namespace

bool begins_rx_flow_hash(std::string_view line) {
  return line.starts_with(kContextHeading) || line.starts_with(kRefusal) ||
         line.find(kFieldsHeading) != std::string_view::npos || line.find(kDiscarded) != std::string_view::npos;
}

std::variant<std::vector<RxFlowHash>, EthtoolError> read_rx_flow_hashes(std::span<const TextLine> lines) {
  std::vector<RxFlowHash> blocks;
  std::uint32_t context = 0;
  std::size_t at = 0;
  while (at < lines.size()) {
    const auto& line = lines[at];
    if (line.text.starts_with(kContextHeading)) {
      const auto number = read_context(line);
      if (const auto* error = std::get_if<EthtoolError>(&number)) {
        return *error;
      }
      context = std::get<std::uint32_t>(number);
      ++at;
      continue;
    }
    const auto* kind = begins_rx_flow_hash(line.text) ? kind_of(line.text) : nullptr;
    if (kind == nullptr) {
      ++at;
      continue;
    }
    auto block = read_block(lines, at, *kind);
    if (const auto* error = std::get_if<EthtoolError>(&block)) {
      return *error;
    }
    blocks.push_back(std::get<RxFlowHash>(block));
    blocks.back().rss_context = context;
    context = 0;
  }
  return blocks;
}

std::variant<RxFlowHash, EthtoolError> parse_rx_flow_hash(std::string_view text) {
  const auto lines = split_lines(text);
  auto blocks = read_rx_flow_hashes(lines);
  if (const auto* error = std::get_if<EthtoolError>(&blocks)) {
    return *error;
  }
  const auto& found = std::get<std::vector<RxFlowHash>>(blocks);
  if (found.size() == 1) {
    return found.front();
  }
  if (found.size() > 1) {
    return EthtoolError{found[1].line, "a second protocol, and one is wanted"};
  }
  for (const auto& line : lines) {
    if (line.text.starts_with(kRefusal)) {
      return EthtoolError{line.number, "ethtool could not show the hashed fields: " + in_quotes(line.text)};
    }
    if (!line.text.empty()) {
      return EthtoolError{line.number, in_quotes(line.text) + " does not tell how TCP or UDP is hashed"};
    }
  }
  return EthtoolError{0, "empty, and the output of ethtool -n DEV rx-flow-hash udp4 is needed"};
}

}  // namespace volley::rss

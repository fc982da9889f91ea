// From `ethtool -x` output to a configuration; see the header. Pure; any thread.
#include "volley/rss/ethtool.h"

#include <algorithm>
#include <optional>
#include <span>

#include "volley/rss/ethtool_raw.h"
#include "volley/rss/indirection_table.h"
#include "volley/rss/known_keys.h"
#include "volley/rss/rx_flow_hash.h"

namespace volley::rss {
namespace {

using Problem = std::optional<EthtoolError>;

// Longer than any: Linux has 15 (IFNAMSIZ), and 127 for alternative names.
constexpr std::size_t kMaxInterfaceNameBytes = 127;

template <typename Values>
bool is_all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](auto value) { return value == 0; });
}

Problem take_function(const RawEthtool& raw, EthtoolRss& rss) {
  if (raw.functions_on.size() > 1) {
    return EthtoolError{raw.function_line, "a second hash function that is on: " + in_quotes(raw.functions_on.back())};
  }
  if (raw.functions_on.empty()) {
    rss.notes.emplace_back("the driver does not name its hash function; Toeplitz is assumed");
    return std::nullopt;
  }
  rss.function_source = FunctionSource::stated;
  const auto& name = raw.functions_on.front();
  if (name == "toeplitz") {
    rss.config.function = HashFunction::toeplitz;
  } else if (name == "xor") {
    rss.config.function = HashFunction::xor8;
  } else if (name == "crc32") {
    rss.config.function = HashFunction::crc32;
  } else {
    return EthtoolError{raw.function_line,
                        "hash function " + in_quotes(name) + ", and volley knows toeplitz, xor and crc32"};
  }
  return std::nullopt;
}

Problem take_transform(const RawEthtool& raw, EthtoolRss& rss) {
  if (raw.transforms_on.empty()) {
    return std::nullopt;
  }
  const auto& name = raw.transforms_on.front();
  if (raw.transforms_on.size() > 1) {
    return EthtoolError{raw.transform_line, "two input transformations that are on: " + in_quotes(name) + " and " +
                                                in_quotes(raw.transforms_on[1])};
  }
  if (name == "symmetric-xor") {
    rss.config.transform = InputTransform::symmetric_xor;
  } else if (name == "symmetric-or-xor") {
    rss.config.transform = InputTransform::symmetric_or_xor;
  } else {
    return EthtoolError{raw.transform_line, "input transformation " + in_quotes(name) +
                                                ", and volley knows symmetric-xor and symmetric-or-xor"};
  }
  return std::nullopt;
}

Problem take_table(const RawEthtool& raw, EthtoolRss& rss) {
  if (raw.table.empty()) {
    rss.missing_table = {raw.table_line, "no indirection table (" + raw.table_refusal + ")"};
    return std::nullopt;
  }
  if (const auto problem = table_problem(raw.table.size()); !problem.empty()) {
    return EthtoolError{raw.table_line, problem};
  }
  rss.config.table = raw.table;
  const auto highest = rss.config.queue_count() - 1;
  if (raw.ring_count != 0 && highest >= raw.ring_count) {
    rss.notes.push_back("the table names queue " + std::to_string(highest) + ", and its heading has only " +
                        std::to_string(raw.ring_count) + " rings");
  }
  return std::nullopt;
}

Problem take_key(const RawEthtool& raw, EthtoolRss& rss) {
  if (raw.key.empty()) {
    rss.missing_key = {raw.key_line, "no hash key (" + raw.key_refusal + ")"};
    return std::nullopt;
  }
  if (is_all_zero(raw.key)) {
    // A driver that can't read its hardware back shows zeros for both; a table
    // of zeros beside a true key is a NIC that uses queue 0 alone.
    rss.missing_key = {raw.key_line, "no hash key (all bytes are zero)"};
    if (is_all_zero(rss.config.table)) {
      rss.missing_table = {raw.table_line, "no indirection table (all of it and of the key is zero)"};
      rss.config.table.clear();
    }
    return std::nullopt;
  }
  if (raw.key.size() < kMinKeyBytes || raw.key.size() > kMaxKeyBytes) {
    return EthtoolError{raw.key_line, "a hash key of " + std::to_string(raw.key.size()) + " bytes, and a key has " +
                                          std::to_string(kMinKeyBytes) + " to " + std::to_string(kMaxKeyBytes)};
  }
  rss.config.key = raw.key;
  rss.config.key_name = name_of_key(raw.key);
  return std::nullopt;
}

// v6 answers stand apart only where they differ from those of v4.
void take_fields(const RxFlowHash& v4, const RxFlowHash* v6, HashFields& fields, std::optional<HashFields>& v6_fields) {
  fields = v4.fields;
  if (v6 != nullptr && v6->fields != v4.fields) {
    v6_fields = v6->fields;
  }
}

Problem take_flow_hashes(std::span<const RxFlowHash> blocks, EthtoolRss& rss) {
  const RxFlowHash* found[2][2] = {};  // [tcp, udp][v4, v6]
  for (const auto& block : blocks) {
    auto& place = found[block.protocol == wire::IpProtocol::udp ? 1 : 0][block.family == wire::IpFamily::v6 ? 1 : 0];
    if (place != nullptr && place->fields != block.fields) {
      return EthtoolError{block.line, "hashed fields other than those that line " + std::to_string(place->line) +
                                          " has for the same protocol"};
    }
    place = &block;
    rss.rss_context = std::max(rss.rss_context, block.rss_context);
  }
  const auto take = [](const RxFlowHash* v4, const RxFlowHash* v6, HashFields& fields,
                       std::optional<HashFields>& v6_fields, FieldsSource& source) {
    if (v4 != nullptr) {
      take_fields(*v4, v6, fields, v6_fields);
    } else if (v6 != nullptr && v6->fields != fields) {
      v6_fields = v6->fields;
    }
    source = v4 != nullptr || v6 != nullptr ? FieldsSource::stated : FieldsSource::assumed;
  };
  take(found[0][0], found[0][1], rss.config.tcp_fields, rss.config.tcp6_fields, rss.tcp_fields_source);
  take(found[1][0], found[1][1], rss.config.udp_fields, rss.config.udp6_fields, rss.udp_fields_source);
  return std::nullopt;
}

std::variant<EthtoolRss, EthtoolError> check(const RawEthtool& raw, std::span<const RxFlowHash> blocks) {
  EthtoolRss rss;
  // It is printed, and the text is a stranger's.
  rss.interface_name = printable(raw.interface_name, kMaxInterfaceNameBytes);
  rss.ring_count = raw.ring_count;
  rss.notes = raw.notes;
  // The table before the key: a key of zeros makes a table of zeros doubtful.
  for (const auto take : {take_function, take_transform, take_table, take_key}) {
    if (auto problem = take(raw, rss)) {
      return *problem;
    }
  }
  if (auto problem = take_flow_hashes(blocks, rss)) {
    return *problem;
  }
  return rss;
}

// Cuts `lines` where the output of `ethtool -n` begins.
std::size_t flow_hash_begin(std::span<const TextLine> lines) {
  const auto begin =
      std::find_if(lines.begin(), lines.end(), [](const TextLine& line) { return begins_rx_flow_hash(line.text); });
  return static_cast<std::size_t>(begin - lines.begin());
}

RawEthtool nothing_but_fields() {
  RawEthtool raw;
  raw.table_refusal = "no output of ethtool -x in the text";
  raw.key_refusal = raw.table_refusal;
  return raw;
}

}  // namespace

std::string to_string(const EthtoolError& error) {
  return error.line == 0 ? error.what : "line " + std::to_string(error.line) + ": " + error.what;
}

std::variant<EthtoolRss, EthtoolError> read_ethtool(std::string_view text) {
  if (text.size() > kMaxEthtoolTextBytes) {
    return EthtoolError{
        0, "more than " + std::to_string(kMaxEthtoolTextBytes) + " bytes, and no output of ethtool -x is so long"};
  }
  const auto begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const bool is_json = begin < text.size() && (text[begin] == '[' || text[begin] == '{');
  const auto first_line =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  const auto body = text.substr(begin);
  const auto extent = is_json ? json_extent(body) : 0;
  const auto json_lines =
      static_cast<std::size_t>(std::count(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(extent), '\n'));
  const auto lines = split_lines(body.substr(extent), first_line + json_lines);
  const auto fields_at = flow_hash_begin(lines);

  const auto blocks = read_rx_flow_hashes(std::span(lines).subspan(fields_at));
  if (const auto* error = std::get_if<EthtoolError>(&blocks)) {
    return *error;
  }
  const auto& fields = std::get<std::vector<RxFlowHash>>(blocks);
  if (!is_json && fields_at == 0 && !fields.empty()) {
    return check(nothing_but_fields(), fields);
  }
  auto raw = is_json ? read_ethtool_json(body.substr(0, extent), first_line)
                     : read_ethtool_text(std::span(lines).first(fields_at));
  if (const auto* error = std::get_if<EthtoolError>(&raw)) {
    return *error;
  }
  return check(std::get<RawEthtool>(raw), fields);
}

std::variant<RssConfig, EthtoolError> parse_ethtool_x(std::string_view text) {
  auto result = read_ethtool(text);
  if (const auto* error = std::get_if<EthtoolError>(&result)) {
    return *error;
  }
  auto& rss = std::get<EthtoolRss>(result);
  if (rss.config.table.empty()) {
    return rss.missing_table;
  }
  if (rss.config.function == HashFunction::toeplitz && rss.config.key.empty()) {
    return rss.missing_key;
  }
  return std::move(rss.config);
}

}  // namespace volley::rss

// From a configuration and a flow to a queue; see the header. Pure; any thread.
#include "volley/rss/config.h"

#include <algorithm>

#include "volley/rss/crc32_hash.h"
#include "volley/rss/hash_input.h"
#include "volley/rss/indirection_table.h"
#include "volley/rss/toeplitz.h"
#include "volley/rss/xor_hash.h"

namespace volley::rss {
namespace {

// The last bit of the largest input needs 32 bits of key from its position on.
constexpr std::size_t kMinToeplitzKeyBytes = kMaxHashInputBytes + 4;

std::uint32_t hash_bytes(const RssConfig& config, const HashInput& input) {
  switch (config.function) {
    case HashFunction::toeplitz:
      return toeplitz_hash(config.key, input.view());
    case HashFunction::xor8:
      return xor_hash(input.view());
    case HashFunction::crc32:
      return crc32_hash(input.view());
  }
  return 0;
}

}  // namespace

std::size_t RssConfig::queue_count() const {
  const auto highest = std::max_element(table.begin(), table.end());
  return highest == table.end() ? 0 : std::size_t{*highest} + 1;
}

std::string why_unusable(const RssConfig& config) {
  if (config.function == HashFunction::toeplitz) {
    if (config.key.empty()) {
      return "no hash key";
    }
    if (config.key.size() < kMinToeplitzKeyBytes) {
      return "a hash key of " + std::to_string(config.key.size()) + " bytes, and Toeplitz over IPv6 needs " +
             std::to_string(kMinToeplitzKeyBytes);
    }
  }
  return table_problem(config.table.size());
}

HashFields hash_fields(const RssConfig& config, wire::IpProtocol protocol, wire::IpFamily family) {
  const bool over_v6 = family == wire::IpFamily::v6;
  switch (protocol) {
    case wire::IpProtocol::tcp:
      return over_v6 ? config.tcp6_fields.value_or(config.tcp_fields) : config.tcp_fields;
    case wire::IpProtocol::udp:
      return over_v6 ? config.udp6_fields.value_or(config.udp_fields) : config.udp_fields;
    case wire::IpProtocol::icmp:
    case wire::IpProtocol::icmpv6:
      return HashFields::addresses;
  }
  return HashFields::addresses;
}

std::uint32_t hash_of(const RssConfig& config, const wire::Flow& flow) {
  const auto fields = hash_fields(config, flow.protocol, flow.source.family);
  if (fields == HashFields::none) {
    return 0;
  }
  return hash_bytes(config, make_hash_input(flow, fields, config.transform)) ^ config.initial_hash;
}

std::size_t table_index(HashFunction function, std::uint32_t hash, std::size_t table_size) {
  switch (function) {
    case HashFunction::xor8:
      return xor_table_index(hash, table_size);
    case HashFunction::toeplitz:
    case HashFunction::crc32:
      return hash & (table_size - 1);
  }
  return 0;
}

QueueId queue_of(const RssConfig& config, const wire::Flow& flow) {
  if (config.table.empty()) {
    return 0;
  }
  return config.table[table_index(config.function, hash_of(config, flow), config.table.size())];
}

}  // namespace volley::rss

// Fast hashing of many flows; see the header. Immutable objects; any thread.
#include "volley/rss/flow_hasher.h"

#include <utility>

namespace volley::rss {

RssHasher::RssHasher(RssConfig config) : config_(std::move(config)) {
  if (config_.function == HashFunction::toeplitz) {
    tables_.emplace(config_.key);
  }
}

std::uint32_t RssHasher::hash(const wire::Flow& flow) const {
  const auto fields = hash_fields(config_, flow.protocol, flow.source.family);
  if (!tables_ || fields == HashFields::none) {
    return hash_of(config_, flow);
  }
  return tables_->hash(make_hash_input(flow, fields, config_.transform).view()) ^ config_.initial_hash;
}

QueueId RssHasher::queue(const wire::Flow& flow) const {
  if (config_.table.empty()) {
    return 0;
  }
  return config_.table[table_index(config_.function, hash(flow), config_.table.size())];
}

FlowHasher::FlowHasher(const RssConfig& config, const wire::Flow& flow)
    : function_(config.function), table_(config.table) {
  auto probe = flow;
  probe.source_port = 0;
  base_ = hash_of(config, probe);
  for (unsigned bit = 0; bit < 16; ++bit) {
    probe.source_port = static_cast<std::uint16_t>(1U << bit);
    const auto change = hash_of(config, probe) ^ base_;
    auto& bytes = bit < 8 ? low_ : high_;
    // Every value whose highest set bit this is: what the rest of it adds is known.
    const std::size_t weight = std::size_t{1} << (bit % 8);
    for (std::size_t rest = 0; rest < weight; ++rest) {
      bytes[weight + rest] = bytes[rest] ^ change;
    }
  }
}

QueueId FlowHasher::queue(std::uint16_t source_port) const {
  return table_.empty() ? QueueId{0} : table_[table_index(function_, hash(source_port), table_.size())];
}

}  // namespace volley::rss

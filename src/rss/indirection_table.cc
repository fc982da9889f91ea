// Default fills and checks of indirection tables; see the header. Pure; any thread.
#include "volley/rss/indirection_table.h"

#include <algorithm>
#include <array>
#include <bit>

namespace volley::rss {

bool is_valid_table_size(std::size_t entries) {
  return entries <= kMaxTableEntries && std::has_single_bit(entries);
}

std::string table_problem(std::size_t entries) {
  if (is_valid_table_size(entries)) {
    return {};
  }
  if (entries == 0) {
    return "no indirection table";
  }
  if (entries > kMaxTableEntries) {
    return std::to_string(entries) + " entries in the table, and " + std::to_string(kMaxTableEntries) +
           " is the most that volley takes";
  }
  return std::to_string(entries) + " entries in the table, and a table has a power of two";
}

std::size_t usual_table_size(std::size_t queues) {
  if (queues > kMaxTableEntries) {
    return 0;
  }
  return std::max(kUsualTableEntries, std::bit_ceil(queues));
}

std::vector<QueueId> default_table(std::size_t entries, std::size_t queues, TableFill fill) {
  std::vector<QueueId> table(entries);
  for (std::size_t i = 0; i < entries; ++i) {
    switch (fill) {
      case TableFill::modulo:
        table[i] = static_cast<QueueId>(i % queues);
        break;
      case TableFill::blocks:
        table[i] = static_cast<QueueId>(i * queues / entries);
        break;
      case TableFill::masked:
        table[i] = static_cast<QueueId>(i & (std::bit_floor(queues) - 1));
        break;
    }
  }
  return table;
}

std::optional<FillMatch> match_default_fill(std::span<const QueueId> table) {
  const auto highest = std::max_element(table.begin(), table.end());
  if (highest == table.end()) {
    return std::nullopt;
  }
  const std::size_t queues = std::size_t{*highest} + 1;
  if (queues > kMaxTableEntries) {
    return std::nullopt;
  }
  for (const auto fill : {TableFill::modulo, TableFill::blocks}) {
    const auto expected = default_table(table.size(), queues, fill);
    if (std::equal(table.begin(), table.end(), expected.begin())) {
      return FillMatch{fill, queues};
    }
  }
  return std::nullopt;
}

std::vector<std::uint32_t> entries_per_queue(std::span<const QueueId> table) {
  std::vector<std::uint32_t> counts;
  for (const auto queue : table) {
    if (queue >= counts.size()) {
      counts.resize(std::size_t{queue} + 1);
    }
    ++counts[queue];
  }
  return counts;
}

}  // namespace volley::rss

// The indirection table: how drivers fill it, and what it makes of the queues.
//
// Pure; any thread. A table has a power of two entries, 1 to 8192.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "volley/rss/config.h"

namespace volley::rss {

// The largest that volley knows a driver to have is 2048 (ice); the rest is room.
inline constexpr std::size_t kMaxTableEntries = 8192;
// The commonest size: igb, igc, bnxt, ena, virtio in QEMU and many more.
inline constexpr std::size_t kUsualTableEntries = 128;

// How a driver fills its table for n queues unless it is told otherwise.
enum class TableFill : std::uint8_t {
  modulo,  // entry i: i % n; ethtool's own default, most drivers
  blocks,  // entry i: i * n / size, contiguous runs: igb, igc
  masked,  // entry i: i & (n - 1), n rounded down to a power of two: atlantic
};

bool is_valid_table_size(std::size_t entries);

// "" or why the table can't be one: "129 entries in the table, and a table has a power of two".
std::string table_problem(std::size_t entries);

// The smallest usual table for so many queues: kUsualTableEntries, or the next
// power of two; 0 if more than kMaxTableEntries would be needed.
std::size_t usual_table_size(std::size_t queues);

// Requires a valid size and 1 to kMaxTableEntries queues.
std::vector<QueueId> default_table(std::size_t entries, std::size_t queues, TableFill fill);

// The default fill and number of queues that gives exactly this table; of
// several the first in the order above.
struct FillMatch {
  TableFill fill = TableFill::modulo;
  std::size_t queues = 0;
};
std::optional<FillMatch> match_default_fill(std::span<const QueueId> table);

// Entries of each queue, index = queue; as long as the highest queue + 1.
std::vector<std::uint32_t> entries_per_queue(std::span<const QueueId> table);

}  // namespace volley::rss

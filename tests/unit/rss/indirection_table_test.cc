// Default fills, sizes and counts of indirection tables.
#include "volley/rss/indirection_table.h"

#include "room_test.h"

using namespace volley::rss;
using namespace volley::rss::testing;

TEST_CASE("tables have a power of two entries, up to 8192") {
  for (const std::size_t size : {1U, 2U, 64U, 128U, 2048U, 8192U}) {
    CHECK(is_valid_table_size(size));
    CHECK(table_problem(size).empty());
  }
  for (const std::size_t size : {0U, 3U, 129U, 8191U, 16384U}) {
    CHECK_FALSE(is_valid_table_size(size));
    CHECK_FALSE(table_problem(size).empty());
  }
}

TEST_CASE("drivers fill their tables in three ways") {
  using Table = std::vector<QueueId>;
  CHECK(default_table(8, 3, TableFill::modulo) == Table{0, 1, 2, 0, 1, 2, 0, 1});
  CHECK(default_table(8, 3, TableFill::blocks) == Table{0, 0, 0, 1, 1, 1, 2, 2});
  CHECK(default_table(8, 4, TableFill::blocks) == Table{0, 0, 1, 1, 2, 2, 3, 3});
  CHECK(default_table(8, 6, TableFill::masked) == Table{0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("a default fill is recognised") {
  for (const std::size_t queues : {1U, 2U, 6U, 8U, 24U, 128U}) {
    const auto modulo = match_default_fill(default_table(128, queues, TableFill::modulo));
    REQUIRE(modulo);
    CHECK(modulo->fill == TableFill::modulo);
    CHECK(modulo->queues == queues);
  }
  const auto blocks = match_default_fill(default_table(128, 8, TableFill::blocks));
  REQUIRE(blocks);
  CHECK(blocks->fill == TableFill::blocks);
  CHECK(blocks->queues == 8);
  auto changed = default_table(128, 8, TableFill::modulo);
  changed[77] = 0;
  CHECK_FALSE(match_default_fill(changed));
  CHECK_FALSE(match_default_fill({}));
}

TEST_CASE("entries are counted per queue") {
  const auto counts = entries_per_queue(default_table(128, 24, TableFill::modulo));
  REQUIRE(counts.size() == 24);
  CHECK(counts[0] == 6);
  CHECK(counts[7] == 6);
  CHECK(counts[8] == 5);
  CHECK(counts[23] == 5);
  const std::vector<QueueId> sparse{3, 3, 0, 3};
  CHECK(entries_per_queue(sparse) == std::vector<std::uint32_t>{1, 0, 0, 3});
  CHECK(entries_per_queue({}).empty());
}

TEST_CASE("the usual table grows with the queues") {
  CHECK(usual_table_size(8) == 128);
  CHECK(usual_table_size(128) == 128);
  CHECK(usual_table_size(129) == 256);
  CHECK(usual_table_size(8192) == 8192);
  CHECK(usual_table_size(8193) == 0);
}

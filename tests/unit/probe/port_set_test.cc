// Tests of the sizes and places of port blocks.
#include "volley/probe/port_set.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace volley::probe;

TEST_CASE("wanted_port_count follows STATISTICS section 1", "[port_set]") {
  CHECK(wanted_port_count(10000, 1000) == 2048);
  CHECK(wanted_port_count(100000, 10000) == 32768);
  CHECK(wanted_port_count(1, 0.1) == 256);
  CHECK(wanted_port_count(16 * 300, 1) == 512);
  CHECK(wanted_port_count(0, 10) == 8192);
  CHECK(wanted_port_count(1000, 0) == 32768);
  CHECK(wanted_port_count(1, 1e9) == 32768);
}

TEST_CASE("choose_block: aligned, inside, as large as fits", "[port_set]") {
  for (const std::uint16_t first : std::vector<std::uint16_t>{1, 255, 32768, 40001, 65535}) {
    for (const std::uint32_t length : {1U, 2U, 3U, 255U, 256U, 1000U, 25000U}) {
      const std::uint32_t last = first + length - 1;
      if (last > 65535) continue;
      for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const PortBlock block = choose_block(first, static_cast<std::uint16_t>(last), 2048, seed);
        CHECK(block.base >= first);
        CHECK(block.base + block.size() - 1 <= last);
        CHECK(block.base % block.size() == 0);
        CHECK(block.size() * 4 > std::min<std::uint32_t>(length, 2048));
      }
    }
  }
}

TEST_CASE("covering_block holds both ends", "[port_set]") {
  CHECK(covering_block(40000, 40000) == PortBlock{40000, 0});
  CHECK(covering_block(40000, 40001) == PortBlock{40000, 1});
  CHECK(covering_block(40001, 40002) == PortBlock{40000, 2});
  CHECK(covering_block(1, 65535) == PortBlock{0, 16});
}

// Places of ports in contiguous, broken and full sets.
#include "volley/stats/port_index.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace volley::stats {

TEST_CASE("each port has its place, and no other port has one", "[stats]") {
  const std::vector<std::uint16_t> ports = {1'024, 1'025, 1'027, 40'000, 65'535};
  const PortIndex index(ports);
  std::size_t found = 0;
  for (std::uint32_t port = 0; port < 65'536; ++port) {
    const auto place = index.place_of(static_cast<std::uint16_t>(port));
    if (!place) continue;
    REQUIRE(ports[*place] == port);
    ++found;
  }
  CHECK(found == ports.size());
  CHECK(index.size() == 5);
}

TEST_CASE("no ports and all ports", "[stats]") {
  CHECK_FALSE(PortIndex({}).place_of(0));
  std::vector<std::uint16_t> all(65'535);
  std::iota(all.begin(), all.end(), std::uint16_t{1});
  const PortIndex index(all);
  CHECK(index.place_of(65'535) == 65'534U);
  CHECK(index.place_of(1) == 0U);
  CHECK_FALSE(index.place_of(0));
}

TEST_CASE("a default set needs 4 kB", "[stats]") {
  std::vector<std::uint16_t> ports(2'048);
  std::iota(ports.begin(), ports.end(), std::uint16_t{34'816});
  CHECK(PortIndex(ports).memory_bytes() == 4'096);
}

}  // namespace volley::stats

// Tests the question to the kernel where the answer is known: no such interface.
#include "volley/net/neighbour.h"

#include <catch2/catch.hpp>

using namespace volley;

TEST_CASE("a neighbour on no interface is unknown", "[net]") {
  CHECK(net::neighbour_state(0x7fffffff, *wire::parse_address("10.0.0.1")) == net::NeighbourState::unknown);
  CHECK(net::neighbour_state(0x7fffffff, *wire::parse_address("fd00::1")) == net::NeighbourState::unknown);
}

// Tests that two runs don't get one seed.
#include "volley/net/entropy.h"

#include <catch2/catch.hpp>

TEST_CASE("seeds differ", "[net]") {
  CHECK(volley::net::random_seed() != volley::net::random_seed());
}

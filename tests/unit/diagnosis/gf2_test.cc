// Tests of diagnosis/gf2. One thread.
#include "volley/diagnosis/gf2.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

using namespace volley::diagnosis;

TEST_CASE("a subspace is the same whatever vectors it is made from") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::uint32_t> vectors(4);
    for (std::uint32_t& vector : vectors) vector = static_cast<std::uint32_t>(random() & 0x3ffU);
    const Subspace space(vectors);
    std::vector<std::uint32_t> other = vectors;
    std::shuffle(other.begin(), other.end(), random);
    other[0] ^= other[1];
    other[2] ^= other[0];
    REQUIRE(Subspace(other) == space);
    const std::vector<std::uint32_t> members = space.members();
    const std::set<std::uint32_t> distinct(members.begin(), members.end());
    REQUIRE(distinct.size() == (std::size_t{1} << space.dimension()));
    for (const std::uint32_t sum : subset_sums(vectors)) REQUIRE(distinct.count(sum) == 1);
    for (const std::uint32_t member : members) REQUIRE(space.reduce(member) == 0);
    const auto outside = static_cast<std::uint32_t>(random() & 0x3ffU);
    REQUIRE((space.reduce(outside) & space.pivots()) == 0);
    REQUIRE(distinct.count(outside ^ space.reduce(outside)) == 1);
  }
}

TEST_CASE("inserting a member changes nothing") {
  Subspace space;
  CHECK(space.insert(0b1100));
  CHECK(space.insert(0b0110));
  CHECK_FALSE(space.insert(0b1010));
  CHECK_FALSE(space.insert(0));
  CHECK(space.dimension() == 2);
  CHECK(space.rows() == std::vector<std::uint32_t>{0b1010, 0b0110});
}

TEST_CASE("subspaces are counted as they are") {
  for (unsigned bits = 1; bits <= 4; ++bits) {
    std::set<std::vector<std::uint32_t>> spaces;
    const std::uint32_t all = 1U << bits;
    for (std::uint32_t a = 0; a < all; ++a) {
      for (std::uint32_t b = 0; b < all; ++b) {
        for (std::uint32_t c = 0; c < all; ++c) {
          const std::uint32_t vectors[] = {a, b, c};
          spaces.insert(Subspace(vectors).rows());
        }
      }
    }
    for (unsigned dimension = 0; dimension <= std::min(bits, 3U); ++dimension) {
      const auto count =
          std::count_if(spaces.begin(), spaces.end(), [&](const auto& rows) { return rows.size() == dimension; });
      CHECK(std::exp(log_subspaces(bits, dimension)) == Approx(static_cast<double>(count)));
    }
  }
}

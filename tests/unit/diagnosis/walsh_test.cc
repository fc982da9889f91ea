// Tests of diagnosis/walsh against the sum it stands for. One thread.
#include "volley/diagnosis/walsh.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "volley/diagnosis/gf2.h"

using namespace volley::diagnosis;

TEST_CASE("the transform is the sum with signs by parity") {
  std::mt19937_64 random(1);
  std::vector<double> values(64);
  for (double& value : values) value = static_cast<double>(random() % 100);
  std::vector<double> transformed = values;
  walsh_hadamard(transformed);
  for (std::uint32_t f = 0; f < values.size(); ++f) {
    double sum = 0.0;
    for (std::uint32_t x = 0; x < values.size(); ++x) sum += parity(f & x) == 0 ? values[x] : -values[x];
    REQUIRE(transformed[f] == sum);
  }
  walsh_hadamard(transformed);
  for (std::size_t x = 0; x < values.size(); ++x) REQUIRE(transformed[x] == 64.0 * values[x]);
}

TEST_CASE("one value transforms to itself") {
  std::vector<double> values{3.0};
  walsh_hadamard(values);
  CHECK(values[0] == 3.0);
}

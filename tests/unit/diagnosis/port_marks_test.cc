// Tests of diagnosis/port_marks. One thread.
#include "volley/diagnosis/port_marks.h"

#include <catch2/catch.hpp>
#include <numeric>

using namespace volley::diagnosis;

TEST_CASE("ports that hit at all are marked while they are few") {
  const std::vector<std::uint64_t> hits{0, 0, 3, 0, 1, 0, 0, 0};
  CHECK(mark_ports(hits) == std::vector<std::uint8_t>{0, 0, 1, 0, 1, 0, 0, 0});
  CHECK(mark_ports({}).empty());
  CHECK(mark_ports(std::vector<std::uint64_t>{5}) == std::vector<std::uint8_t>{0});
  CHECK(mark_ports(std::vector<std::uint64_t>(10, 0)) == std::vector<std::uint8_t>(10, 0));
}

TEST_CASE("never more than six in ten are marked, and by the smallest threshold that keeps to it") {
  std::vector<std::uint64_t> hits(10, 1);
  hits[3] = 2;
  hits[7] = 5;
  CHECK(mark_ports(hits) == std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0});
  hits.assign(10, 4);
  CHECK(mark_ports(hits) == std::vector<std::uint8_t>(10, 0));
  hits = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  const auto marks = mark_ports(hits);
  CHECK(std::accumulate(marks.begin(), marks.end(), 0) == 6);
  hits = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
  CHECK(mark_ports(hits) == std::vector<std::uint8_t>(10, 0));
}

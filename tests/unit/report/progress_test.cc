// The progress line stays one short line.
#include "volley/report/progress.h"

#include <catch2/catch.hpp>

using volley::report::progress_line;
using volley::stats::Progress;

TEST_CASE("progress line", "[report][progress]") {
  const Progress progress{3998, 3990, 3, 0, 93'000, 210'300};
  CHECK(progress_line(progress, 4'100'000'000, 10000) ==
        "4 s  3998 of 10000 sent  3 lost (0.075 %)  p50 0.093  p99 0.210 ms");
  CHECK(progress_line(progress, 4'100'000'000, 0) == "4 s  3998 sent  3 lost (0.075 %)  p50 0.093  p99 0.210 ms");
}

TEST_CASE("progress line before anything came back", "[report][progress]") {
  CHECK(progress_line({}, 200'000'000, 10) == "0 s  0 of 10 sent  0 lost");
  CHECK(progress_line({5, 0, 5, 12, 0, 0}, 2'000'000'000, 0) == "2 s  5 sent  5 lost (100 %)  12 not sent");
}

TEST_CASE("progress line of a long fast run fits into 80 columns", "[report][progress]") {
  const Progress progress{4'000'000'000, 3'999'000'000, 123'456, 0, 1'093'000, 21'210'300};
  CHECK(progress_line(progress, 20'000'000'000'000, 0).size() < 80);
}

// Jitter of RFC 3550 section 6.4.1, against its recurrence done by hand.
#include "volley/stats/jitter.h"

#include <catch2/catch.hpp>

namespace volley::stats {

TEST_CASE("one reply has no jitter", "[stats]") {
  Jitter jitter;
  CHECK(jitter.value_ns() == 0);
  jitter.record(1'000'000);
  CHECK(jitter.value_ns() == 0);
}

TEST_CASE("jitter follows the recurrence", "[stats]") {
  Jitter jitter;
  jitter.record(1'000);
  jitter.record(1'160);  // |D| = 160: J = 10
  CHECK(jitter.value_ns() == 10);
  jitter.record(1'000);  // |D| = 160: J = 10 + 150 / 16 = 19.375
  CHECK(jitter.value_ns() == 19);
  jitter.record(1'000);  // |D| = 0: J = 19.375 x 15 / 16 = 18.16
  CHECK(jitter.value_ns() == 18);
}

TEST_CASE("jitter goes to a constant change", "[stats]") {
  Jitter jitter;
  for (int i = 0; i < 1'000; ++i) jitter.record(i % 2 == 0 ? 50'000 : 53'000);
  CHECK(jitter.value_ns() == 3'000);
}

}  // namespace volley::stats

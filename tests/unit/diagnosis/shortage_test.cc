// Tests of diagnosis/shortage: how many probes more, and what would have shown. One thread.
#include "volley/diagnosis/shortage.h"

#include <catch2/catch.hpp>

using namespace volley;
using namespace volley::diagnosis;

TEST_CASE("further probes bring the losses to what the search needs") {
  CHECK(further_probes(10'000, 10) == 15'000);
  CHECK(further_probes(10'000, 1) == 240'000);
  CHECK(further_probes(10'000, 25) == 10'000);
  CHECK(further_probes(10'000, 400) == 10'000);
}

TEST_CASE("a clean run tells which loss of one queue it would have seen") {
  probe::ProbePlan plan;
  stats::DestinationResult destination;
  destination.answered = 10'000;
  destination.source_ports_used = 2048;
  CHECK(would_have_shown(plan, destination) ==
        "at this length a queue (1 of 8) losing 0.41 % or more would have shown");
  destination.answered = 20;
  CHECK(would_have_shown(plan, destination).empty());
  destination.answered = 10'000;
  destination.lost = 1;
  CHECK(would_have_shown(plan, destination).empty());
  destination.lost = 0;
  destination.source_ports_used = 1;
  CHECK(would_have_shown(plan, destination).empty());
}

// Tests of the look-up of destinations.
#include "volley/probe/endpoints.h"

#include <catch2/catch.hpp>

#include "sample_plan.h"

using namespace volley::probe;

TEST_CASE("destinations are found by both addresses and the port", "[endpoints]") {
  PlanRequest request = sample::request();
  request.destinations = {sample::destination("10.0.3.7", 443), sample::destination("10.0.3.7", 80),
                          sample::destination("fd00::7", 443, "fd00::9"),
                          sample::destination("127.0.0.1", 443, "127.0.0.1")};
  const ProbePlan plan = sample::plan(request);
  const Endpoints endpoints(plan);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Destination& to = plan.destinations[i];
    CHECK(endpoints.find(to.source, to.address, to.port) == i);
    CHECK_FALSE(endpoints.find(to.source, to.address, 81));
    CHECK(endpoints.is_self(i) == (i == 3));
  }
  CHECK_FALSE(endpoints.find(sample::address("10.0.3.8"), sample::address("10.0.3.7"), 443));
  CHECK_FALSE(endpoints.find(sample::address("10.0.3.7"), sample::address("10.0.3.9"), 443));
}

TEST_CASE("8000 destinations", "[endpoints]") {
  PlanRequest request = sample::request();
  request.destinations.clear();
  for (int i = 0; i < 8000; ++i) {
    request.destinations.push_back(sample::destination(
        "10." + std::to_string(i / 2500) + "." + std::to_string(i / 250 % 10) + "." + std::to_string(i % 250),
        static_cast<std::uint16_t>(1 + i % 3)));
  }
  const ProbePlan plan = sample::plan(request);
  const Endpoints endpoints(plan);
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < 8000; ++i) {
    const Destination& to = plan.destinations[i];
    wrong += endpoints.find(to.source, to.address, to.port) == i ? 0U : 1U;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the run's source ports", "[endpoints]") {
  PlanRequest request = sample::request();
  request.listed_source_ports = {1, 40000, 65535};
  const Endpoints endpoints(sample::plan(request));
  CHECK(endpoints.owns_port(1));
  CHECK(endpoints.owns_port(65535));
  CHECK_FALSE(endpoints.owns_port(2));
}

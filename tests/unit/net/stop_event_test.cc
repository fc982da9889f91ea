// Tests that a stop request wakes who polls for it. One thread.
#include "volley/net/stop_event.h"

#include <poll.h>

#include <catch2/catch.hpp>

TEST_CASE("a request makes the descriptor readable, and stays", "[net]") {
  volley::net::StopEvent stop;
  pollfd ready{stop.descriptor(), POLLIN, 0};
  CHECK(poll(&ready, 1, 0) == 0);
  stop.request();
  CHECK(poll(&ready, 1, 0) == 1);
  CHECK(poll(&ready, 1, 0) == 1);
  CHECK(stop.is_requested());
}

// Tests what a capture refuses before it needs privileges; the rest is live.
#include "volley/net/capture.h"

#include <catch2/catch.hpp>

#include "volley/net/error.h"

TEST_CASE("an interface that is not there is named", "[net]") {
  volley::net::CaptureOptions options;
  options.interfaces = {0x7fffffff};
  CHECK_THROWS_WITH(volley::net::LibpcapSource(options), Catch::Equals("open capture: interface 2147483647 is gone"));
}

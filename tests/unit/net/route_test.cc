// Tests of what is refused before the kernel is asked. Routes themselves are the live tests'.
#include "volley/net/route.h"

#include <catch2/catch.hpp>

#include "volley/net/error.h"

using namespace volley::net;
using volley::wire::parse_address;

namespace {

RouteRequest to(const char* destination) {
  RouteRequest request;
  request.destination = *parse_address(destination);
  return request;
}

}  // namespace

TEST_CASE("destinations that are no host are refused", "[net]") {
  using Catch::Equals;
  CHECK_THROWS_WITH(find_route(to("224.0.0.1")), Equals("224.0.0.1: a multicast address, not a host"));
  CHECK_THROWS_WITH(find_route(to("ff02::1")), Equals("ff02::1: a multicast address, not a host"));
  CHECK_THROWS_WITH(find_route(to("255.255.255.255")), Equals("255.255.255.255: a broadcast address, not a host"));
  CHECK_THROWS_WITH(find_route(to("0.0.0.0")), Equals("0.0.0.0: not the address of a host"));
  CHECK_THROWS_WITH(find_route(to("::")), Equals("::: not the address of a host"));
}

TEST_CASE("a link-local destination needs an interface", "[net]") {
  CHECK_THROWS_WITH(find_route(to("fe80::1")),
                    Catch::Equals("fe80::1: a link-local address needs its interface: fe80::1%eth0"));
  RouteRequest request = to("fe80::1");
  request.scope_id = 2;
  request.interface_index = 3;
  CHECK_THROWS_WITH(find_route(request), Catch::Equals("fe80::1: its zone names another interface than -I"));
}

TEST_CASE("a source must be of the destination's family and this host's", "[net]") {
  RouteRequest request = to("127.0.0.1");
  request.source = parse_address("::1");
  CHECK_THROWS_WITH(find_route(request), Catch::Equals("source ::1: not of the family of 127.0.0.1"));
  request.source = parse_address("192.0.2.77");
  CHECK_THROWS_WITH(find_route(request), Catch::Equals("source 192.0.2.77: not an address of this host"));
}

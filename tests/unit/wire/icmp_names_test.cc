// Tests of wire/icmp_names: names per family, and one for anything.
#include "volley/wire/icmp_names.h"

#include <catch2/catch.hpp>

using namespace volley::wire;

TEST_CASE("names of IPv4 errors", "[wire][icmp_names]") {
  CHECK(icmp_name(IpFamily::v4, 3, 0) == "network unreachable");
  CHECK(icmp_name(IpFamily::v4, 3, 1) == "host unreachable");
  CHECK(icmp_name(IpFamily::v4, 3, 3) == "port unreachable");
  CHECK(icmp_name(IpFamily::v4, 3, 4) == "fragmentation needed");
  CHECK(icmp_name(IpFamily::v4, 3, 13) == "admin prohibited");
  CHECK(icmp_name(IpFamily::v4, 11, 0) == "ttl exceeded");
  CHECK(icmp_name(IpFamily::v4, 4, 0) == "source quench");
}

TEST_CASE("names of IPv6 errors", "[wire][icmp_names]") {
  CHECK(icmp_name(IpFamily::v6, 1, 0) == "no route");
  CHECK(icmp_name(IpFamily::v6, 1, 1) == "admin prohibited");
  CHECK(icmp_name(IpFamily::v6, 1, 3) == "host unreachable");
  CHECK(icmp_name(IpFamily::v6, 1, 4) == "port unreachable");
  CHECK(icmp_name(IpFamily::v6, 2, 0) == "packet too big");
  CHECK(icmp_name(IpFamily::v6, 3, 0) == "ttl exceeded");
}

TEST_CASE("an unknown code has its type's name, an unknown type one too", "[wire][icmp_names]") {
  CHECK(icmp_name(IpFamily::v4, 3, 200) == "unreachable");
  CHECK(icmp_name(IpFamily::v6, 4, 77) == "parameter problem");
  CHECK(icmp_name(IpFamily::v4, 250, 0) == "unknown icmp");
  for (const auto family : {IpFamily::v4, IpFamily::v6}) {
    for (unsigned type = 0; type < 256; ++type) {
      CHECK_FALSE(icmp_name(family, static_cast<std::uint8_t>(type), 0).empty());
    }
  }
}

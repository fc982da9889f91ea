// Tests of address texts and of the errors for what is none. No name service is asked.
#include "volley/net/resolver.h"

#include <catch2/catch.hpp>

#include "volley/net/error.h"

using namespace volley::net;
using volley::wire::parse_address;

TEST_CASE("an address text is its own answer", "[net]") {
  const std::string text = GENERATE("10.0.3.7", "127.0.0.1", "2001:db8::1", "::1", "::ffff:10.0.0.1");
  const auto found = resolve(text, FamilyPreference::any);
  REQUIRE(found.size() == 1);
  CHECK(found[0].address == parse_address(text));
  CHECK(found[0].scope_id == 0);
}

TEST_CASE("a zone may be a number", "[net]") {
  const auto found = resolve("fe80::1%3", FamilyPreference::v6);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == ResolvedAddress{*parse_address("fe80::1"), 3});
}

TEST_CASE("what is no address gets an error that says so", "[net]") {
  using Catch::Equals;
  const auto any = FamilyPreference::any;
  CHECK_THROWS_WITH(resolve("", any), Equals("the name of the host is empty"));
  // The C library would take these for 10.0.0.1 and 8.0.0.1.
  CHECK_THROWS_WITH(resolve("10.1", any), Equals("10.1: not an IPv4 address"));
  CHECK_THROWS_WITH(resolve("010.0.0.1", any), Equals("010.0.0.1: not an IPv4 address"));
  CHECK_THROWS_WITH(resolve("10.0.0.256", any), Equals("10.0.0.256: not an IPv4 address"));
  CHECK_THROWS_WITH(resolve("fe80:::1", any), Equals("fe80:::1: not an IPv6 address"));
  CHECK_THROWS_WITH(resolve("fe80::1%no-such-0", any), Equals("fe80::1%no-such-0: no interface is called no-such-0"));
  CHECK_THROWS_WITH(resolve("fe80::1%0", any), Equals("fe80::1%0: no interface is called 0"));
}

TEST_CASE("-4 and -6 hold for address texts too", "[net]") {
  using Catch::Equals;
  CHECK_THROWS_WITH(resolve("10.0.0.1", FamilyPreference::v6), Equals("10.0.0.1: not an IPv6 address"));
  CHECK_THROWS_WITH(resolve("::1", FamilyPreference::v4), Equals("::1: not an IPv4 address"));
  CHECK_THROWS_AS(resolve("::1", FamilyPreference::v4), SetupError);
}

TEST_CASE("a name that can't exist is named in the error", "[net]") {
  // A label of more than 63 characters is refused before any server is asked (RFC 1035 section 2.3.4).
  const std::string name(64, 'a');
  CHECK_THROWS_WITH(resolve(name, FamilyPreference::any),
                    Catch::StartsWith(name + ": no address found (name server: "));
}

// TARGET arguments and target files.
#include "volley/app/target_text.h"

#include <catch2/catch.hpp>

#include "volley/app/quantity.h"

namespace {

using namespace volley::app;
using Ports = std::vector<std::uint16_t>;

TEST_CASE("a target is a host with or without ports") {
  CHECK(parse_target("web7") == TargetText{"web7", {}});
  CHECK(parse_target("web7:443") == TargetText{"web7", {443}});
  CHECK(parse_target("10.0.3.7:80,443,8000-8001") == TargetText{"10.0.3.7", Ports{80, 443, 8000, 8001}});
}

TEST_CASE("an IPv6 address takes brackets for a port and a zone for a link") {
  CHECK(parse_target("::1") == TargetText{"::1", {}});
  CHECK(parse_target("[2001:db8::1]") == TargetText{"2001:db8::1", {}});
  CHECK(parse_target("[2001:db8::1]:443") == TargetText{"2001:db8::1", {443}});
  CHECK(parse_target("[fe80::1%eth0]:443") == TargetText{"fe80::1%eth0", {443}});
  CHECK(parse_target("fe80::1%eth0") == TargetText{"fe80::1%eth0", {}});
}

TEST_CASE("what is no target is refused") {
  for (const char* text : {"", ":80", "host:", "host:0", "host:http", "[::1", "[::1]80", "[::1]:", "[]:80", "a b",
                           "10.0.0.0/8", "host:80-70"}) {
    CHECK_THROWS_AS(parse_target(text), BadQuantity);
  }
  CHECK_THROWS_AS(parse_target(std::string(300, 'a')), BadQuantity);
}

TEST_CASE("a target file has one a line, with comments") {
  CHECK(parse_target_lines("web1\n\n  web2:80  # the old one\r\n# none\n[::1]:7") ==
        std::vector<TargetText>{{"web1", {}}, {"web2", {80}}, {"::1", {7}}});
  CHECK(parse_target_lines("").empty());
  CHECK_THROWS_WITH(parse_target_lines("web1\nweb2:x\n"), Catch::Matchers::StartsWith("line 2: "));
}

}  // namespace

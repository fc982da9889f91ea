// Tests of wire/address: text both ways, strictness, and the classes of addresses.
#include "volley/wire/address.h"

#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace volley::wire;

namespace {

std::string canonical(std::string_view text) {
  const auto address = parse_address(text);
  return address ? to_string(*address) : "rejected";
}

IpAddress address(std::string_view text) {
  const auto parsed = parse_address(text);
  REQUIRE(parsed);
  return *parsed;
}

}  // namespace

TEST_CASE("IPv4 text", "[wire][address]") {
  CHECK(canonical("0.0.0.0") == "0.0.0.0");
  CHECK(canonical("10.0.3.7") == "10.0.3.7");
  CHECK(canonical("255.255.255.255") == "255.255.255.255");
  CHECK_FALSE(address("10.0.3.7").is_v6());
  CHECK(address("10.0.3.7").bytes().size() == 4);
  for (const auto* text :
       {"", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4 ",
        " 1.2.3.4", "1.2.3.-4", "1.2.3.+4", "0x1.2.3.4", "1.2.3.1000", "1,2,3,4"}) {
    INFO(text);
    CHECK_FALSE(parse_address(text));
  }
}

TEST_CASE("IPv6 text in and its canonical form out", "[wire][address]") {
  CHECK(canonical("::") == "::");
  CHECK(canonical("::1") == "::1");
  CHECK(canonical("1::") == "1::");
  CHECK(canonical("0:0:0:0:0:0:0:0") == "::");
  CHECK(canonical("2001:0DB8:0000:0000:0000:0000:0002:0001") == "2001:db8::2:1");
  CHECK(canonical("fe80::1") == "fe80::1");
  CHECK(canonical("1:2:3:4:5:6:7::") == "1:2:3:4:5:6:7:0");
  CHECK(canonical("::2:3:4:5:6:7:8") == "0:2:3:4:5:6:7:8");
  CHECK(address("::").bytes().size() == 16);
}

TEST_CASE("the rules of RFC 5952 section 4", "[wire][address]") {
  CHECK(canonical("2001:db8:0:1:1:1:1:1") == "2001:db8:0:1:1:1:1:1");  // one zero group stays
  CHECK(canonical("2001:0:0:1:0:0:0:1") == "2001:0:0:1::1");           // the longest run
  CHECK(canonical("2001:db8:0:0:1:0:0:1") == "2001:db8::1:0:0:1");     // of equals the first
  CHECK(canonical("2001:DB8::ABCD:0EF0") == "2001:db8::abcd:ef0");     // lower case, no leading zeros
  CHECK(canonical("1:0:0:0:0:0:0:0") == "1::");                        // run at the end
}

TEST_CASE("an IPv4 tail in IPv6 text", "[wire][address]") {
  CHECK(canonical("::ffff:192.0.2.33") == "::ffff:192.0.2.33");
  CHECK(canonical("::ffff:c000:221") == "::ffff:192.0.2.33");
  CHECK(canonical("64:ff9b::192.0.2.33") == "64:ff9b::c000:221");
  CHECK(canonical("1:2:3:4:5:6:1.2.3.4") == "1:2:3:4:5:6:102:304");
  CHECK(canonical("::1.2.3.4") == "::102:304");
  for (const auto* text : {"1:2:3:4:5:6:7:1.2.3.4", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "1.2.3.4:5::", "::01.2.3.4",
                           "1:2:3:4:5:6:7::1.2.3.4", "::1.2.3.256", "1.2.3.4:80"}) {
    INFO(text);
    CHECK_FALSE(parse_address(text));
  }
}

TEST_CASE("what is not IPv6 text", "[wire][address]") {
  for (const auto* text : {":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:", ":1:2:3:4:5:6:7:8",
                           "1::2::3", "12345::", "g::", "::1%eth0", "[::1]", "1:2:3:4:5:6:7::8", "::1:2:3:4:5:6:7:8",
                           "1:::2", "::1 ", ":1", "1:", "fe80::1/64"}) {
    INFO(text);
    CHECK_FALSE(parse_address(text));
  }
}

TEST_CASE("what is written is read back", "[wire][address]") {
  std::mt19937 random(5952);
  for (int i = 0; i < 5000; ++i) {
    IpAddress one;
    one.family = random() % 2 == 0 ? IpFamily::v4 : IpFamily::v6;
    for (std::size_t k = 0; k < one.bytes().size(); ++k) {
      one.octets[k] = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 0);
    }
    const std::string text = to_string(one);
    INFO(text);
    const auto back = parse_address(text);
    REQUIRE(back);
    REQUIRE(*back == one);
  }
}

TEST_CASE("classes of addresses", "[wire][address]") {
  CHECK(is_link_local(address("169.254.1.1")));
  CHECK(is_link_local(address("febf::1")));
  CHECK_FALSE(is_link_local(address("fec0::1")));
  CHECK_FALSE(is_link_local(address("169.253.1.1")));
  CHECK(is_loopback(address("127.9.9.9")));
  CHECK(is_loopback(address("::1")));
  CHECK_FALSE(is_loopback(address("::2")));
  CHECK_FALSE(is_loopback(address("128.0.0.1")));
  CHECK(is_multicast(address("224.0.0.1")));
  CHECK(is_multicast(address("239.255.255.255")));
  CHECK(is_multicast(address("ff02::1")));
  CHECK_FALSE(is_multicast(address("240.0.0.1")));
  CHECK_FALSE(is_multicast(address("fe80::1")));
  CHECK(is_limited_broadcast(address("255.255.255.255")));
  CHECK_FALSE(is_limited_broadcast(address("10.255.255.255")));
  CHECK_FALSE(is_limited_broadcast(address("ffff:ffff::")));
  CHECK(is_unspecified(address("0.0.0.0")));
  CHECK(is_unspecified(address("::")));
  CHECK_FALSE(is_unspecified(address("::1")));
}

TEST_CASE("public is what no reserved range holds", "[wire][address]") {
  for (const auto* text :
       {"10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255", "100.64.0.0",
        "100.127.255.255", "169.254.0.1", "127.0.0.1", "::1", "fe80::1", "fc00::1", "fdff::1"}) {
    INFO(text);
    CHECK_FALSE(is_public(address(text)));
  }
  for (const auto* text :
       {"9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "100.63.255.255",
        "100.128.0.0", "8.8.8.8", "2001:db8::1", "fbff::1", "fe00::1"}) {
    INFO(text);
    CHECK(is_public(address(text)));
  }
}

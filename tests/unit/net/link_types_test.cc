// Tests the table of link types by libpcap's published numbers.
#include "volley/net/link_types.h"

#include <catch2/catch.hpp>

using volley::net::link_type_name;
using volley::net::link_type_of;
using volley::wire::LinkType;

TEST_CASE("framings that volley reads", "[net]") {
  CHECK(link_type_of(1) == LinkType::ethernet);
  CHECK(link_type_of(113) == LinkType::linux_cooked_v1);
  CHECK(link_type_of(276) == LinkType::linux_cooked_v2);
  CHECK(link_type_of(12) == LinkType::raw_ip);
  CHECK(link_type_of(228) == LinkType::raw_ip);
  CHECK(link_type_of(229) == LinkType::raw_ip);
  CHECK(link_type_of(0) == LinkType::null_loopback);
  CHECK(link_type_of(108) == LinkType::loop);
}

TEST_CASE("others are refused by their name", "[net]") {
  CHECK_FALSE(link_type_of(127));
  CHECK(link_type_name(127) == "IEEE802_11_RADIO");
  CHECK(link_type_name(1) == "EN10MB");
  CHECK(link_type_name(99999) == "99999");
}

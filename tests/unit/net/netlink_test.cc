// Tests of reading netlink attributes, whole and damaged.
#include "volley/net/netlink.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace volley::net;
using volley::wire::parse_address;

namespace {

std::vector<std::uint8_t> bytes_of(std::uint32_t number) {
  std::vector<std::uint8_t> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

std::vector<std::uint8_t> three_attributes() {
  std::vector<std::uint8_t> message;
  append_attribute(message, 3, std::vector<std::uint8_t>{'e', 't', 'h', '0', 0});
  append_attribute(message, 4, bytes_of(1500));
  append_attribute(message, 5, parse_address("10.0.0.1")->bytes());
  append_attribute(message, 6, parse_address("fd00::1")->bytes());
  return message;
}

}  // namespace

TEST_CASE("attributes are found by type", "[net]") {
  const auto message = three_attributes();
  const NetlinkAttributes attributes(message);
  CHECK(message.size() % 4 == 0);
  CHECK(attributes.text(3) == "eth0");
  CHECK(attributes.number(4) == 1500U);
  CHECK(attributes.address(5) == parse_address("10.0.0.1"));
  CHECK(attributes.address(6) == parse_address("fd00::1"));
  CHECK_FALSE(attributes.find(7));
  CHECK(attributes.text(7).empty());
  // Of the wrong size for what is asked.
  CHECK_FALSE(attributes.address(3));
}

TEST_CASE("a message cut anywhere yields what is whole", "[net]") {
  const auto message = three_attributes();
  for (std::size_t length = 0; length < message.size(); ++length) {
    const std::vector<std::uint8_t> cut(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(length));
    const NetlinkAttributes attributes(cut);
    CHECK_FALSE(attributes.address(6));
    CHECK(attributes.number(4).has_value() == (length >= 20));
  }
}

TEST_CASE("impossible lengths end the search", "[net]") {
  auto message = three_attributes();
  message[0] = GENERATE(std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{3}, std::uint8_t{255});
  message[1] = 0;
  const NetlinkAttributes attributes(message);
  CHECK_FALSE(attributes.number(4));
}

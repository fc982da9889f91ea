// Tests of wire/checksum: RFC examples, pseudo headers, and updates against whole sums.
#include "volley/wire/checksum.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "volley/wire/byte_order.h"

using namespace volley::wire;

namespace {

// The definition, word by word, with end-around carry at each step.
std::uint16_t slow_checksum(const std::vector<std::uint8_t>& bytes) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    const unsigned low = i + 1 < bytes.size() ? bytes[i + 1] : 0U;
    sum += static_cast<std::uint32_t>(bytes[i] * 256U + low);
    sum = (sum & 0xffffU) + (sum >> 16U);
  }
  return static_cast<std::uint16_t>(~sum);
}

}  // namespace

TEST_CASE("the worked example of RFC 1071 section 3", "[wire][checksum]") {
  const std::array<std::uint8_t, 8> bytes = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  CHECK(internet_checksum(bytes) == static_cast<std::uint16_t>(~0xddf2U));
}

TEST_CASE("a header with its checksum in place sums to zero", "[wire][checksum]") {
  // IP 192.168.0.1 > 192.168.0.199: UDP, length 95
  std::vector<std::uint8_t> header = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                                      0x00, 0x00, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  CHECK(internet_checksum(header) == 0xb861);
  store_be16(header, 10, 0xb861);
  CHECK(internet_checksum(header) == 0);
}

TEST_CASE("an empty buffer and an odd last byte", "[wire][checksum]") {
  CHECK(internet_checksum({}) == 0xffff);
  const std::array<std::uint8_t, 3> odd = {0x12, 0x34, 0x56};
  CHECK(internet_checksum(odd) == static_cast<std::uint16_t>(~(0x1234U + 0x5600U)));
}

TEST_CASE("any length agrees with the definition", "[wire][checksum]") {
  std::mt19937 random(1071);
  for (std::size_t size = 0; size < 200; ++size) {
    std::vector<std::uint8_t> bytes(size);
    for (auto& byte : bytes) {
      byte = static_cast<std::uint8_t>(random());
    }
    INFO("size " << size);
    CHECK(internet_checksum(bytes) == slow_checksum(bytes));
  }
  const std::vector<std::uint8_t> ones(65535, 0xff);
  CHECK(internet_checksum(ones) == slow_checksum(ones));
}

TEST_CASE("a sum goes on from a partial sum", "[wire][checksum]") {
  const std::array<std::uint8_t, 10> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const auto span = std::span<const std::uint8_t>(bytes);
  CHECK(checksum_finish(checksum_add(checksum_add(0, span.first(6)), span.subspan(6))) == internet_checksum(bytes));
}

TEST_CASE("pseudo headers of both families", "[wire][checksum]") {
  const auto v4 = pseudo_header_sum(*parse_address("10.0.0.1"), *parse_address("10.0.0.2"), IpProtocol::tcp, 40);
  std::vector<std::uint8_t> v4_bytes = {10, 0, 0, 1, 10, 0, 0, 2, 0, 6, 0, 40};
  CHECK(checksum_finish(v4) == slow_checksum(v4_bytes));

  const auto v6 =
      pseudo_header_sum(*parse_address("2001:db8::1"), *parse_address("fe80::ffff"), IpProtocol::icmpv6, 70000);
  std::vector<std::uint8_t> v6_bytes = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0,
                                        0,    1,    0xfe, 0x80, 0, 0, 0,    0,    0, 0, 0, 0, 0, 0,
                                        0,    0,    0xff, 0xff, 0, 1, 0x11, 0x70, 0, 0, 0, 58};
  CHECK(checksum_finish(v6) == slow_checksum(v6_bytes));
}

TEST_CASE("the worked example of RFC 1624 section 4", "[wire][checksum]") {
  // The case where the older equation gives 0xffff for 0x0000.
  CHECK(checksum_update(0xdd2f, 0x5555, 0x3285) == 0x0000);
}

TEST_CASE("an update equals the whole sum", "[wire][checksum]") {
  std::mt19937 random(1624);
  std::vector<std::uint8_t> bytes(40);
  for (auto& byte : bytes) {
    byte = static_cast<std::uint8_t>(random());
  }
  bytes[0] = 0x45;  // not all zero, as no real header is: then +0 and -0 can't be confused
  std::uint16_t checksum = internet_checksum(bytes);
  for (int i = 0; i < 20000; ++i) {
    const std::size_t at = 2 + 2 * (random() % 19);
    const auto choice = random() % 4;
    const auto value = static_cast<std::uint16_t>(choice == 0 ? 0 : choice == 1 ? 0xffff : random());
    checksum = checksum_update(checksum, load_be16(bytes, at), value);
    store_be16(bytes, at, value);
    REQUIRE(checksum == internet_checksum(bytes));
  }
}

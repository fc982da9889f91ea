// Tests of wire/udp: which lengths are possible, and where the payload ends.
#include "volley/wire/udp.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "volley/wire/byte_order.h"

using namespace volley::wire;

namespace {

std::vector<std::uint8_t> datagram(std::uint16_t length, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  store_be16(bytes, kUdpSourcePortOffset, 33017);
  store_be16(bytes, kUdpDestinationPortOffset, 7);
  store_be16(bytes, kUdpLengthOffset, length);
  store_be16(bytes, kUdpChecksumOffset, 0xbeef);
  return bytes;
}

}  // namespace

TEST_CASE("the payload ends where the length says", "[wire][udp]") {
  const auto bytes = datagram(10, 20);
  UdpInfo udp;
  REQUIRE(read_udp({bytes, bytes.size()}, {}, udp) == DecodeStatus::ok);
  CHECK(udp.source_port == 33017);
  CHECK(udp.destination_port == 7);
  CHECK(udp.length == 10);
  CHECK(udp.checksum == 0xbeef);
  CHECK(udp.payload.size() == 2);
}

TEST_CASE("a length must hold the header and fit the packet", "[wire][udp]") {
  UdpInfo udp;
  const auto empty = datagram(8, 8);
  CHECK(read_udp({empty, 8}, {}, udp) == DecodeStatus::ok);
  CHECK(udp.payload.empty());
  const auto zero = datagram(0, 20);
  CHECK(read_udp({zero, 20}, {}, udp) == DecodeStatus::bad_transport_header);
  const auto long_one = datagram(40, 20);
  CHECK(read_udp({long_one, 20}, {}, udp) == DecodeStatus::bad_transport_header);
  CHECK(read_udp({long_one, 40}, {}, udp) == DecodeStatus::ok);  // the capture cut it
  CHECK(udp.payload.size() == 12);
  IpInfo fragment;
  fragment.more_fragments = true;
  CHECK(read_udp({long_one, 20}, fragment, udp) == DecodeStatus::ok);
  CHECK(read_udp({std::span(empty).first(7), 8}, {}, udp) == DecodeStatus::truncated_transport);
}

TEST_CASE("a quoted length is not judged", "[wire][udp]") {
  for (const int length : {0, 7, 8, 9, 20, 4000, 65535}) {
    const auto bytes = datagram(static_cast<std::uint16_t>(length), 20);
    UdpInfo udp;
    INFO(length);
    CHECK(read_quoted_udp({bytes, bytes.size()}, udp) == DecodeStatus::ok);
    CHECK(udp.length == length);
    CHECK(udp.payload.size() <= 12);
  }
}

// Tests of wire/ipv6: every field at its offset for random values, and the walk over extension headers.
#include "volley/wire/ipv6.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "volley/wire/byte_order.h"

using namespace volley::wire;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A packet whose payload is `rest`.
Bytes packet(std::uint8_t next_header, const Bytes& rest) {
  Bytes bytes(kIpv6HeaderBytes);
  bytes[kIpv6VersionOffset] = 0x60;
  store_be16(bytes, kIpv6PayloadLengthOffset, static_cast<std::uint16_t>(rest.size()));
  bytes[kIpv6NextHeaderOffset] = next_header;
  bytes.insert(bytes.end(), rest.begin(), rest.end());
  return bytes;
}

struct Read {
  IpInfo ip;
  std::size_t payload_bytes = 0;
  DecodeStatus status = DecodeStatus::ok;
};

Read read(const Bytes& bytes) {
  Read result;
  IpPayload payload;
  result.status = read_ipv6(bytes, PacketContext::whole, result.ip, payload);
  result.payload_bytes = payload.bytes.size();
  return result;
}

}  // namespace

TEST_CASE("random IPv6 fields are read where they were stored", "[wire][ipv6]") {
  std::mt19937 random(8200);
  for (int round = 0; round < 2000; ++round) {
    Bytes bytes(60);
    for (auto& byte : bytes) {
      byte = static_cast<std::uint8_t>(random());
    }
    bytes[0] = static_cast<std::uint8_t>(0x60U | (bytes[0] & 0x0fU));
    bytes[kIpv6NextHeaderOffset] = 6;
    store_be16(bytes, kIpv6PayloadLengthOffset, static_cast<std::uint16_t>(1 + random() % 65535));
    const std::size_t length = load_be16(bytes, kIpv6PayloadLengthOffset);
    const Read result = read(bytes);
    REQUIRE(result.status == DecodeStatus::ok);
    REQUIRE(result.ip.traffic_class == static_cast<std::uint8_t>((bytes[0] << 4U) | (bytes[1] >> 4U)));
    REQUIRE(result.ip.ttl == bytes[kIpv6HopLimitOffset]);
    REQUIRE(result.ip.total_length == std::min<std::size_t>(40 + length, 65535));
    REQUIRE(std::equal(bytes.begin() + 8, bytes.begin() + 24, result.ip.source.bytes().begin()));
    REQUIRE(std::equal(bytes.begin() + 24, bytes.begin() + 40, result.ip.destination.bytes().begin()));
    REQUIRE(result.payload_bytes == std::min<std::size_t>(20, length));
  }
}

TEST_CASE("extension headers are stepped over by their lengths", "[wire][ipv6]") {
  const Bytes tail(20, 0xee);
  const auto with_tail = [&](Bytes extension) {
    extension.insert(extension.end(), tail.begin(), tail.end());
    return extension;
  };
  const Bytes options_of_16 = {6, 1, 1, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const std::uint8_t next : {kIpv6HopByHop, kIpv6DestinationOptions, kIpv6Routing}) {
    const Read result = read(packet(next, with_tail(options_of_16)));
    INFO(static_cast<int>(next));
    CHECK(result.status == DecodeStatus::ok);
    CHECK(result.ip.protocol == 6);
    CHECK(result.payload_bytes == 20);
  }
  const Read authenticated = read(packet(kIpv6Authentication, with_tail(Bytes{6, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2})));
  CHECK(authenticated.status == DecodeStatus::ok);
  CHECK(authenticated.payload_bytes == 20);
  const Read fragment = read(packet(kIpv6Fragment, with_tail(Bytes{17, 0, 0x05, 0xc9, 0, 0, 0, 1})));
  CHECK(fragment.status == DecodeStatus::later_fragment);
  CHECK(fragment.ip.protocol == 17);
  CHECK(fragment.ip.fragment_offset == 1480);
  CHECK(fragment.ip.more_fragments);
}

TEST_CASE("eight extension headers are read, nine are not", "[wire][ipv6]") {
  for (const std::size_t count : {8U, 9U}) {
    Bytes rest;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t next = i + 1 == count ? 17 : kIpv6DestinationOptions;
      rest.insert(rest.end(), {next, 0, 1, 4, 0, 0, 0, 0});
    }
    INFO(count);
    CHECK(read(packet(kIpv6DestinationOptions, rest)).status ==
          (count == 8 ? DecodeStatus::ok : DecodeStatus::bad_extension_header));
  }
}

TEST_CASE("a broken chain", "[wire][ipv6]") {
  CHECK(read(packet(kIpv6Routing, {})).status == DecodeStatus::bad_extension_header);
  CHECK(read(packet(kIpv6Routing, {6, 0, 0, 0, 0, 0, 0})).status == DecodeStatus::bad_extension_header);
  CHECK(read(packet(kIpv6Routing, {6, 1, 0, 0, 0, 0, 0, 0})).status == DecodeStatus::bad_extension_header);
  const Bytes second_hop_by_hop = {0, 0, 1, 4, 0, 0, 0, 0, 6, 0, 1, 4, 0, 0, 0, 0};
  CHECK(read(packet(kIpv6HopByHop, second_hop_by_hop)).status == DecodeStatus::bad_extension_header);
  Bytes version_4 = packet(6, Bytes(20));
  version_4[0] = 0x40;
  CHECK(read(version_4).status == DecodeStatus::bad_ip_header);
  CHECK(read(Bytes(39, 0x60)).status == DecodeStatus::truncated_ip);
}

TEST_CASE("a payload length of zero reaches to the end", "[wire][ipv6]") {
  Bytes bytes = packet(6, Bytes(32));
  store_be16(bytes, kIpv6PayloadLengthOffset, 0);
  CHECK(read(bytes).payload_bytes == 32);
  store_be16(bytes, kIpv6PayloadLengthOffset, 8);
  CHECK(read(bytes).payload_bytes == 8);
}

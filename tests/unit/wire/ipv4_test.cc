// Tests of wire/ipv4: every field at its offset for random values, and lengths that decide the payload.
#include "volley/wire/ipv4.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "volley/wire/byte_order.h"

using namespace volley::wire;

namespace {

std::vector<std::uint8_t> packet(std::size_t header_words, std::uint16_t total_length, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  bytes[kIpv4VersionOffset] = static_cast<std::uint8_t>(0x40U | header_words);
  store_be16(bytes, kIpv4TotalLengthOffset, total_length);
  return bytes;
}

}  // namespace

TEST_CASE("random fields are read where they were stored", "[wire][ipv4]") {
  std::mt19937 random(791);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t words = 5 + random() % 11;
    auto bytes = packet(words, 1000, 200);
    const auto fragment = static_cast<std::uint16_t>(random());
    const auto identification = static_cast<std::uint16_t>(random());
    bytes[kIpv4TrafficClassOffset] = static_cast<std::uint8_t>(random());
    bytes[kIpv4TtlOffset] = static_cast<std::uint8_t>(random());
    bytes[kIpv4ProtocolOffset] = static_cast<std::uint8_t>(random());
    store_be16(bytes, kIpv4IdentificationOffset, identification);
    store_be16(bytes, kIpv4FragmentOffset, fragment);
    store_be32(bytes, kIpv4SourceOffset, static_cast<std::uint32_t>(random()));
    store_be32(bytes, kIpv4DestinationOffset, static_cast<std::uint32_t>(random()));
    IpInfo ip;
    IpPayload payload;
    const auto status = read_ipv4(bytes, PacketContext::whole, ip, payload);
    const bool later = (fragment & kIpv4FragmentOffsetMask) != 0;
    REQUIRE(status == (later ? DecodeStatus::later_fragment : DecodeStatus::ok));
    REQUIRE(ip.identification == identification);
    REQUIRE(ip.traffic_class == bytes[1]);
    REQUIRE(ip.ttl == bytes[8]);
    REQUIRE(ip.protocol == bytes[9]);
    REQUIRE(ip.total_length == 1000);
    REQUIRE(ip.fragment_offset == (fragment & 0x1fff) * 8);
    REQUIRE(ip.more_fragments == ((fragment & 0x2000) != 0));
    REQUIRE(ip.dont_fragment == ((fragment & 0x4000) != 0));
    REQUIRE(std::equal(bytes.begin() + 12, bytes.begin() + 16, ip.source.bytes().begin()));
    REQUIRE(std::equal(bytes.begin() + 16, bytes.begin() + 20, ip.destination.bytes().begin()));
    REQUIRE(payload.bytes.size() == 200 - words * 4);
    REQUIRE(payload.declared_bytes == 1000 - words * 4);
  }
}

TEST_CASE("the total length cuts a whole packet", "[wire][ipv4]") {
  IpInfo ip;
  IpPayload payload;
  CHECK(read_ipv4(packet(5, 28, 46), PacketContext::whole, ip, payload) == DecodeStatus::ok);
  CHECK(payload.bytes.size() == 8);
  CHECK(read_ipv4(packet(5, 20, 46), PacketContext::whole, ip, payload) == DecodeStatus::ok);
  CHECK(payload.bytes.empty());
  CHECK(read_ipv4(packet(5, 19, 46), PacketContext::whole, ip, payload) == DecodeStatus::bad_ip_header);
  CHECK(read_ipv4(packet(5, 0, 46), PacketContext::whole, ip, payload) == DecodeStatus::ok);
  CHECK(payload.bytes.size() == 26);
}

TEST_CASE("an altered total length does not take a quote's 8 bytes", "[wire][ipv4]") {
  IpInfo ip;
  IpPayload payload;
  for (const int total : {0, 1, 20, 27, 28, 60, 15360}) {
    const auto bytes = packet(5, static_cast<std::uint16_t>(total), 28);
    INFO(total);
    CHECK(read_ipv4(bytes, PacketContext::quoted, ip, payload) == DecodeStatus::ok);
    CHECK(payload.bytes.size() == 8);
  }
  CHECK(read_ipv4(packet(15, 60, 28), PacketContext::quoted, ip, payload) == DecodeStatus::truncated_ip);
}

// Tests of wire/icmp: which messages are errors, and where a quote ends and its extensions begin.
#include "volley/wire/icmp.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace volley::wire;

namespace {

// An error of `type` whose length field says `length_units`, with `quote_bytes` behind the header.
struct Message {
  std::vector<std::uint8_t> bytes;
  IcmpInfo icmp;

  Message(IpProtocol protocol, std::uint8_t type, std::uint8_t length_units, std::size_t quote_bytes)
      : bytes(kIcmpHeaderBytes + quote_bytes) {
    bytes[kIcmpTypeOffset] = type;
    bytes[protocol == IpProtocol::icmp ? 5 : 4] = length_units;
    REQUIRE(read_icmp({bytes, bytes.size()}, protocol, icmp) == DecodeStatus::ok);
  }
};

}  // namespace

TEST_CASE("errors are the messages that quote", "[wire][icmp]") {
  std::vector<int> v4;
  std::vector<int> v6;
  for (int type = 0; type < 256; ++type) {
    if (is_icmp_error_type(IpProtocol::icmp, static_cast<std::uint8_t>(type))) {
      v4.push_back(type);
    }
    if (is_icmp_error_type(IpProtocol::icmpv6, static_cast<std::uint8_t>(type))) {
      v6.push_back(type);
    }
  }
  CHECK(v4 == std::vector<int>{3, 4, 5, 11, 12});
  CHECK(v6.size() == 128);
  CHECK(v6.back() == 127);
}

TEST_CASE("identifier and sequence belong to echoes alone", "[wire][icmp]") {
  const std::vector<std::uint8_t> unreachable = {3, 4, 0, 0, 0, 0, 5, 0xdc};
  IcmpInfo icmp;
  REQUIRE(read_icmp({unreachable, 8}, IpProtocol::icmp, icmp) == DecodeStatus::ok);
  CHECK(icmp.identifier == 0);
  CHECK(icmp.sequence == 0);
  CHECK(icmp.rest_of_header == 1500);
  // Type 8 of ICMPv6 is not an echo.
  const std::vector<std::uint8_t> eight = {8, 0, 0, 0, 0, 7, 0, 9};
  REQUIRE(read_icmp({eight, 8}, IpProtocol::icmpv6, icmp) == DecodeStatus::ok);
  CHECK(icmp.identifier == 0);
  CHECK(read_icmp({std::span(eight).first(7), 7}, IpProtocol::icmp, icmp) == DecodeStatus::truncated_transport);
}

TEST_CASE("the length field parts quote and extensions", "[wire][icmp]") {
  const Message v4(IpProtocol::icmp, kIcmpTimeExceeded, 128 / 4, 140);
  const IcmpQuote quote = split_icmp_quote({v4.bytes, v4.bytes.size()}, IpProtocol::icmp, v4.icmp);
  CHECK(quote.packet.size() == 128);
  CHECK(quote.extensions.size() == 12);
  CHECK(quote.length_is_possible);
  const Message v6(IpProtocol::icmpv6, kIcmpv6TimeExceeded, 136 / 8, 144);
  const IcmpQuote quote6 = split_icmp_quote({v6.bytes, v6.bytes.size()}, IpProtocol::icmpv6, v6.icmp);
  CHECK(quote6.packet.size() == 136);
  CHECK(quote6.extensions.size() == 8);
}

TEST_CASE("no length field, no extensions", "[wire][icmp]") {
  const Message zero(IpProtocol::icmp, kIcmpUnreachable, 0, 200);
  CHECK(split_icmp_quote({zero.bytes, 208}, IpProtocol::icmp, zero.icmp).packet.size() == 200);
  // A redirect has a gateway there, a "too big" its MTU.
  const Message redirect(IpProtocol::icmp, kIcmpRedirect, 40, 200);
  CHECK(split_icmp_quote({redirect.bytes, 208}, IpProtocol::icmp, redirect.icmp).packet.size() == 200);
  const Message too_big(IpProtocol::icmpv6, kIcmpv6PacketTooBig, 20, 200);
  CHECK(split_icmp_quote({too_big.bytes, 208}, IpProtocol::icmpv6, too_big.icmp).packet.size() == 200);
  // Below 128 bytes RFC 4884 allows no extensions: an old router's leftover.
  const Message leftover(IpProtocol::icmp, kIcmpUnreachable, 17, 200);
  const IcmpQuote quote = split_icmp_quote({leftover.bytes, 208}, IpProtocol::icmp, leftover.icmp);
  CHECK(quote.packet.size() == 200);
  CHECK(quote.length_is_possible);
}

TEST_CASE("a length behind the message is impossible, behind the capture it is not", "[wire][icmp]") {
  const Message message(IpProtocol::icmp, kIcmpTimeExceeded, 160 / 4, 128);
  const IcmpQuote overrun = split_icmp_quote({message.bytes, 136}, IpProtocol::icmp, message.icmp);
  CHECK_FALSE(overrun.length_is_possible);
  CHECK(overrun.packet.size() == 128);
  const IcmpQuote cut = split_icmp_quote({message.bytes, 8 + 160 + 12}, IpProtocol::icmp, message.icmp);
  CHECK(cut.length_is_possible);
  CHECK(cut.packet.size() == 128);
  CHECK(cut.extensions.empty());
}

// Tests of wire/encode: the cooked header byte for byte, and back through decode.
#include "volley/wire/encode.h"

#include <catch2/catch.hpp>
#include <vector>

#include "golden_frames.h"
#include "volley/wire/decode.h"

using namespace volley::wire;

TEST_CASE("a cooked v2 header byte for byte", "[wire][encode]") {
  const auto header = encode_cooked_v2({.family = IpFamily::v6,
                                        .direction = FrameDirection::outgoing,
                                        .interface_index = 0x01020304,
                                        .hardware_type = 772});
  const std::array<std::uint8_t, 20> expected = {0x86, 0xdd, 0, 0, 1, 2, 3, 4, 3, 4, 4, 0};
  CHECK(header == expected);
}

TEST_CASE("a cooked v2 frame is decoded to what was written", "[wire][encode]") {
  const auto packet_bytes = golden::frame("raw_echo_request").bytes();
  for (const auto direction : {FrameDirection::incoming, FrameDirection::outgoing}) {
    const auto header = encode_cooked_v2({.direction = direction, .interface_index = 9, .hardware_type = 1});
    std::vector<std::uint8_t> frame(header.begin(), header.end());
    frame.insert(frame.end(), packet_bytes.begin(), packet_bytes.end());
    DecodedPacket packet;
    REQUIRE(decode(LinkType::linux_cooked_v2, frame, packet) == DecodeStatus::ok);
    CHECK(packet.link.direction == direction);
    CHECK(packet.link.interface_index == 9);
    REQUIRE(packet.icmp);
    CHECK(packet.icmp->sequence == 258);
  }
}

// Tests of the probes' packets: patched templates against what libnet builds.
#include "volley/probe/frame.h"

#include <array>
#include <catch2/catch.hpp>

#include "probe_kinds.h"
#include "volley/wire/checksum.h"
#include "volley/wire/decode.h"

using namespace volley;
using namespace volley::probe;
using sample::all_kinds;
using sample::random_fields;
using sample::to_family;

namespace {

bool transport_checksum_is_right(const wire::DecodedPacket& packet, std::span<const std::uint8_t> bytes) {
  const std::size_t header = packet.ip.source.is_v6() ? 40 : 20;
  const auto transport = bytes.subspan(header);
  std::uint64_t sum = wire::checksum_add(0, transport);
  if (packet.ip.protocol != 1) {
    sum += wire::pseudo_header_sum(packet.ip.source, packet.ip.destination,
                                   static_cast<wire::IpProtocol>(packet.ip.protocol),
                                   static_cast<std::uint32_t>(transport.size()));
  }
  return wire::checksum_finish(sum) == 0;
}

}  // namespace

TEST_CASE("a patched template equals what libnet builds, byte for byte", "[protocol]") {
  Generator generator(2024);
  PacketBuilder builder;
  for (PlanRequest request : all_kinds()) {
    for (const bool is_v6 : {false, true}) {
      request.destinations = {to_family(request.protocol, is_v6)};
      const ProbePlan plan = sample::plan(request);
      const ProtocolRow& row = protocol_row(plan.protocol);
      ProbeFrames frames(plan, 2);
      CAPTURE(row.name, is_v6, plan.payload_bytes, static_cast<int>(plan.tcp_flags));
      for (int round = 0; round < 60; ++round) {
        const ProbeFields fields = random_fields(generator);
        const auto patched = frames.prepare(generator.below(2), 0, fields);
        const auto built = row.build(builder, plan, plan.destinations[0], fields);
        REQUIRE(std::equal(patched.begin(), patched.end(), built.begin(), built.end()));
        wire::DecodedPacket packet;
        REQUIRE(wire::decode_ip(patched, packet) == wire::DecodeStatus::ok);
        REQUIRE(transport_checksum_is_right(packet, patched));
        if (packet.udp) REQUIRE(packet.udp->checksum != 0);
        if (!is_v6) REQUIRE(packet.ip.identification != 0);
      }
    }
  }
}

TEST_CASE("a UDP checksum that comes to zero is sent as all ones", "[protocol]") {
  ProbePlan plan = sample::plan(sample::request(Protocol::udp));
  ProbeFrames frames(plan, 1);
  int zeros = 0;
  for (std::uint32_t token = 0; token < 70'000; ++token) {
    wire::DecodedPacket packet;
    REQUIRE(wire::decode_ip(frames.prepare(0, 0, {.token = token, .source_port = 40000}), packet) ==
            wire::DecodeStatus::ok);
    REQUIRE(packet.udp->checksum != 0);
    zeros += packet.udp->checksum == 0xffff ? 1 : 0;
  }
  CHECK(zeros >= 1);
}

TEST_CASE("destinations of both families share a batch", "[protocol]") {
  PlanRequest request = sample::request(Protocol::udp);
  request.destinations = {to_family(Protocol::udp, false), to_family(Protocol::udp, true)};
  const ProbePlan plan = sample::plan(request);
  ProbeFrames frames(plan, 4);
  PacketBuilder builder;
  std::array<std::span<const std::uint8_t>, 4> packets;
  for (std::uint32_t i = 0; i < 4; ++i) packets[i] = frames.prepare(i, i % 2, {.token = i, .source_port = 5});
  for (std::uint32_t i = 0; i < 4; ++i) {
    const auto built = udp_row().build(builder, plan, plan.destinations[i % 2], {.token = i, .source_port = 5});
    CHECK(std::equal(packets[i].begin(), packets[i].end(), built.begin(), built.end()));
  }
}

TEST_CASE("a SYN looks like a usual client's", "[protocol]") {
  const ProbePlan plan = sample::plan(sample::request());
  ProbeFrames frames(plan, 1);
  wire::DecodedPacket packet;
  REQUIRE(wire::decode_ip(frames.prepare(0, 0, {.token = 9, .source_port = 40000, .timestamp = 77}), packet) ==
          wire::DecodeStatus::ok);
  CHECK(packet.tcp->options.mss == 1460);
  CHECK(packet.tcp->options.sack_permitted);
  CHECK(packet.tcp->options.timestamp_value == 77);
  CHECK(packet.tcp->options.timestamp_echo == 0);
  CHECK(packet.tcp->options.window_scale == 7);
  CHECK(packet.tcp->window == 64240);
  CHECK(packet.tcp->sequence == 9);
  CHECK(packet.ip.ttl == 64);
}

// Building packets, checksums, decoding: the wire's share of the packet path.
#include <array>

#include "micro.h"
#include "micro_traffic.h"
#include "volley/probe/frame.h"
#include "volley/wire/checksum.h"
#include "volley/wire/decode.h"

namespace bench::micro {

using namespace volley;

namespace {

constexpr std::size_t kOperations = 100'000;

probe::ProbeFields fields_of(std::size_t number) {
  return {.token = static_cast<std::uint32_t>(number * 0x9e3779b1U),
          .source_port = static_cast<std::uint16_t>(32768 + (number & 0x7fffU)),
          .timestamp = static_cast<std::uint32_t>(number)};
}

void measure_patch(const Harness& harness) {
  const probe::ProbePlan plan = sample_plan();
  constexpr std::uint32_t kPlaces = 64;
  probe::ProbeFrames frames(plan, kPlaces);
  harness.measure_each("copy and patch a SYN of 60 bytes", kOperations, [&](std::size_t i) {
    keep(frames.prepare(static_cast<std::uint32_t>(i % kPlaces), 0, fields_of(i)));
  });
}

void measure_checksum(const Harness& harness) {
  std::uint16_t checksum = 0x1234;
  harness.measure_each("checksum update, one word (RFC 1624)", kOperations, [&](std::size_t i) {
    checksum = wire::checksum_update(checksum, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + 7));
    keep(checksum);
  });
  const auto packet = sample_packet(sample_plan(), fields_of(1));
  harness.measure_each("whole checksum over 60 bytes", kOperations,
                       [&](std::size_t) { keep(wire::internet_checksum(packet)); });
}

void measure_decode(const Harness& harness) {
  constexpr std::size_t kFrames = 1024;
  std::vector<std::vector<std::uint8_t>> frames;
  for (std::size_t i = 0; i < kFrames; ++i) {
    frames.push_back(syn_ack_frame(sample_packet(sample_plan(), fields_of(i))));
  }
  wire::DecodedPacket packet;
  harness.measure_each("decode a SYN-ACK with options", kOperations, [&](std::size_t i) {
    keep(wire::decode(wire::LinkType::ethernet, frames[i % kFrames], packet));
    keep(packet);
  });
}

}  // namespace

void measure_bytes(const Harness& harness) {
  measure_patch(harness);
  measure_checksum(harness);
  measure_decode(harness);
}

}  // namespace bench::micro

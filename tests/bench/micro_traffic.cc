// Hand-made traffic for the microbenchmarks (see the header).
#include "micro_traffic.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <variant>

#include "volley/probe/packet_builder.h"
#include "volley/probe/packet_patch.h"
#include "volley/rss/known_keys.h"
#include "volley/wire/tcp.h"

namespace bench::micro {

using namespace volley;

namespace {

constexpr std::size_t kEthernetBytes = 14;
constexpr std::uint16_t kTableSize = 128;
constexpr std::uint64_t kSeed = 1;

rss::RssConfig rss_config(std::uint16_t queues) {
  rss::RssConfig config;
  const auto key = rss::known_keys().front().bytes;
  config.key.assign(key.begin(), key.end());
  for (std::uint16_t entry = 0; entry < kTableSize; ++entry) {
    config.table.push_back(static_cast<rss::QueueId>(entry % queues));
  }
  return config;
}

}  // namespace

probe::ProbePlan sample_plan(std::uint16_t queues) {
  probe::PlanRequest request;
  request.destinations = {{.address = wire::parse_address("10.79.0.2").value(),
                           .port = 80,
                           .source = wire::parse_address("10.79.0.1").value(),
                           .interface_index = 2,
                           .interface_name = "eth0",
                           .mtu_bytes = 1500,
                           .name = "10.79.0.2"}};
  request.rate_is_max = true;
  request.duration = std::chrono::nanoseconds(0);
  request.seed = kSeed;
  if (queues > 0) request.rss = rss_config(queues);
  auto made = probe::make_plan(request);
  if (const auto* errors = std::get_if<probe::PlanErrors>(&made)) throw std::runtime_error(errors->front());
  return std::move(std::get<probe::ProbePlan>(made));
}

std::vector<std::uint8_t> sample_packet(const probe::ProbePlan& plan, const probe::ProbeFields& fields) {
  probe::PacketBuilder builder;
  return probe::protocol_row(plan.protocol).build(builder, plan, plan.destinations.front(), fields);
}

std::vector<std::uint8_t> departure_frame(std::span<const std::uint8_t> packet) {
  std::vector<std::uint8_t> frame(kEthernetBytes + packet.size());
  frame[12] = packet[0] >> 4U == 4 ? 0x08 : 0x86;
  frame[13] = packet[0] >> 4U == 4 ? 0x00 : 0xdd;
  std::copy(packet.begin(), packet.end(), frame.begin() + kEthernetBytes);
  return frame;
}

std::vector<std::uint8_t> syn_ack_frame(std::span<const std::uint8_t> packet) {
  std::vector<std::uint8_t> frame = departure_frame(packet);
  const auto ip = std::span(frame).subspan(kEthernetBytes);
  const std::size_t address_bytes = probe::is_ipv4_packet(ip) ? 4 : 16;
  const std::size_t addresses = probe::is_ipv4_packet(ip) ? 12 : 8;
  const auto source = ip.subspan(addresses, address_bytes);
  std::swap_ranges(source.begin(), source.end(), ip.begin() + static_cast<std::ptrdiff_t>(addresses + address_bytes));
  const std::size_t tcp = probe::transport_offset(ip);
  const auto ports = ip.subspan(tcp, 2);
  std::swap_ranges(ports.begin(), ports.end(), ip.begin() + static_cast<std::ptrdiff_t>(tcp + 2));
  const std::size_t checksum = tcp + wire::kTcpChecksumOffset;
  const std::uint32_t sequence = wire::load_be32(ip, tcp + wire::kTcpSequenceOffset);
  probe::patch_double_word(ip, tcp + wire::kTcpAcknowledgementOffset, checksum, sequence + 1);
  probe::patch_double_word(ip, tcp + wire::kTcpSequenceOffset, checksum, ~sequence);
  const std::uint16_t flags = wire::load_be16(ip, tcp + wire::kTcpDataOffsetOffset);
  probe::patch_word(ip, tcp + wire::kTcpDataOffsetOffset, checksum,
                    static_cast<std::uint16_t>(flags | wire::tcp_flag::kAck));
  return frame;
}

namespace {

probe::CapturedFrame captured(std::int64_t time_ns, probe::FrameOrigin origin, std::span<const std::uint8_t> bytes) {
  probe::CapturedFrame frame;
  frame.time_ns = time_ns;
  frame.origin = origin;
  frame.bytes = bytes;
  frame.wire_length = static_cast<std::uint32_t>(bytes.size());
  return frame;
}

}  // namespace

void RecordingSink::send(std::span<probe::OutgoingPacket> packets) {
  for (const probe::OutgoingPacket& packet : packets) {
    // Moving a vector leaves its bytes where they are.
    const auto& departure = bytes_.emplace_back(departure_frame(packet.bytes));
    departures.push_back(captured(now_ns, probe::FrameOrigin::departure, departure));
    const auto& arrival = bytes_.emplace_back(syn_ack_frame(packet.bytes));
    arrivals.push_back(captured(now_ns + kRttNs, probe::FrameOrigin::arrival, arrival));
    now_ns += spacing_ns_;
  }
}

void RecordingSink::clear() {
  bytes_.clear();
  departures.clear();
  arrivals.clear();
}

}  // namespace bench::micro

// Writes the options of a SYN. Pure; any thread.
#include "volley/probe/tcp_options.h"

#include <algorithm>

#include "volley/wire/byte_order.h"
#include "volley/wire/ipv4.h"
#include "volley/wire/ipv6.h"

namespace volley::probe {

namespace {

constexpr std::uint32_t kEthernetMtuBytes = 1500;
constexpr std::uint32_t kMinSegmentBytes = 64;
constexpr std::uint32_t kMaxSegmentBytes = 65535;
constexpr std::uint8_t kWindowScale = 7;  // what Linux offers with its default receive buffers

}  // namespace

std::uint16_t segment_size(std::uint32_t mtu_bytes, wire::IpFamily family) {
  const std::uint32_t mtu = mtu_bytes == 0 ? kEthernetMtuBytes : mtu_bytes;
  const std::size_t ip = family == wire::IpFamily::v4 ? wire::kIpv4HeaderBytes : wire::kIpv6HeaderBytes;
  const auto headers = static_cast<std::uint32_t>(ip + wire::kTcpHeaderBytes);
  return static_cast<std::uint16_t>(std::clamp(mtu - std::min(mtu, headers), kMinSegmentBytes, kMaxSegmentBytes));
}

std::array<std::uint8_t, kSynOptionBytes> syn_options(std::uint16_t segment_bytes, std::uint32_t timestamp) {
  std::array<std::uint8_t, kSynOptionBytes> options{};
  std::size_t at = 0;
  const auto put = [&](std::uint8_t byte) { options[at++] = byte; };
  put(wire::kTcpOptionMss);
  put(wire::kTcpOptionMssBytes);
  wire::store_be16(options, at, segment_bytes);
  at += 2;
  put(wire::kTcpOptionSackPermitted);
  put(wire::kTcpOptionSackPermittedBytes);
  put(wire::kTcpOptionTimestamps);
  put(wire::kTcpOptionTimestampsBytes);
  wire::store_be32(options, at, timestamp);
  at += 8;  // the echo reply of a SYN is zero (RFC 7323 section 3.2)
  put(wire::kTcpOptionNop);
  put(wire::kTcpOptionWindowScale);
  put(wire::kTcpOptionWindowScaleBytes);
  put(kWindowScale);
  return options;
}

}  // namespace volley::probe

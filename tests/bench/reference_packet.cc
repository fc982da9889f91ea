// The reference loops' SYN (see the header).
#include "reference_packet.h"

#include <algorithm>
#include <cstring>

namespace bench {

namespace {

constexpr std::size_t kIp = SynFrame::kLinkBytes;
constexpr std::size_t kTcp = kIp + SynFrame::kIpBytes;
constexpr std::size_t kSequence = kTcp + 4;
constexpr std::size_t kTcpChecksum = kTcp + 16;
// MSS 1460, SACK permitted, timestamps, window scale 7.
constexpr std::array<std::uint8_t, 20> kOptions{2, 4, 0x05, 0xb4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7};

std::uint16_t finish(std::uint32_t sum) {
  while (sum > 0xffffU) sum = (sum & 0xffffU) + (sum >> 16U);
  return static_cast<std::uint16_t>(~sum);
}

}  // namespace

SynFrame::SynFrame(const SynFields& fields) {
  std::copy(fields.target_mac.begin(), fields.target_mac.end(), bytes_.begin());
  std::copy(fields.source_mac.begin(), fields.source_mac.end(), bytes_.begin() + 6);
  put16(12, 0x0800);
  bytes_[kIp] = 0x45;
  put16(kIp + 2, kIpBytes + kTcpBytes);
  bytes_[kIp + 8] = 64;
  bytes_[kIp + 9] = IPPROTO_TCP;
  std::memcpy(&bytes_[kIp + 12], &fields.source, sizeof fields.source);
  std::memcpy(&bytes_[kIp + 16], &fields.target, sizeof fields.target);
  put16(kIp + 10, finish(sum(kIp, kIpBytes)));
  put16(kTcp + 2, fields.port);
  bytes_[kTcp + 12] = kTcpBytes / 4 << 4U;
  bytes_[kTcp + 13] = 0x02;
  put16(kTcp + 14, 64240);
  std::copy(kOptions.begin(), kOptions.end(), bytes_.begin() + kTcp + 20);
  const std::uint32_t pseudo = sum(kIp + 12, 8) + IPPROTO_TCP + static_cast<std::uint32_t>(kTcpBytes);
  put16(kTcpChecksum, finish(pseudo + sum(kTcp, kTcpBytes)));
}

void SynFrame::patch(std::uint16_t source_port, std::uint32_t sequence) {
  const auto complement = [](std::uint16_t value) { return static_cast<std::uint32_t>(value ^ 0xffffU); };
  const auto high = static_cast<std::uint16_t>(sequence >> 16U);
  const auto low = static_cast<std::uint16_t>(sequence);
  std::uint32_t total = complement(get16(kTcpChecksum));
  total += complement(get16(kTcp)) + source_port;
  total += complement(get16(kSequence)) + high + complement(get16(kSequence + 2)) + low;
  put16(kTcp, source_port);
  put16(kSequence, high);
  put16(kSequence + 2, low);
  put16(kTcpChecksum, finish(total));
}

void SynFrame::put16(std::size_t offset, std::uint16_t value) {
  bytes_[offset] = static_cast<std::uint8_t>(value >> 8U);
  bytes_[offset + 1] = static_cast<std::uint8_t>(value);
}

std::uint16_t SynFrame::get16(std::size_t offset) const {
  return static_cast<std::uint16_t>(bytes_[offset] << 8U | bytes_[offset + 1]);
}

std::uint32_t SynFrame::sum(std::size_t first, std::size_t bytes) const {
  std::uint32_t total = 0;
  for (std::size_t at = first; at < first + bytes; at += 2) total += get16(at);
  return total;
}

}  // namespace bench

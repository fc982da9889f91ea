// The SYN that the reference loops send: built once, then patched per probe.
//
// As large as a probing tool's (options of a client's SYN), so that rates
// compare. One thread.
#pragma once

#include <netinet/in.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

using Mac = std::array<std::uint8_t, 6>;

struct SynFields {
  Mac source_mac{};
  Mac target_mac{};
  in_addr source{};
  in_addr target{};
  std::uint16_t port = 80;
};

class SynFrame {
 public:
  static constexpr std::size_t kLinkBytes = 14;
  static constexpr std::size_t kIpBytes = 20;
  static constexpr std::size_t kTcpBytes = 40;
  static constexpr std::size_t kBytes = kLinkBytes + kIpBytes + kTcpBytes;

  explicit SynFrame(const SynFields& fields);

  // Another source port and sequence number; the checksum follows (RFC 1624).
  void patch(std::uint16_t source_port, std::uint32_t sequence);

  std::span<const std::uint8_t> frame() const { return bytes_; }
  std::span<const std::uint8_t> packet() const { return std::span(bytes_).subspan(kLinkBytes); }

 private:
  void put16(std::size_t offset, std::uint16_t value);
  std::uint16_t get16(std::size_t offset) const;
  std::uint32_t sum(std::size_t first, std::size_t bytes) const;

  std::array<std::uint8_t, kBytes> bytes_{};
};

}  // namespace bench

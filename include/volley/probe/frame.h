// The bytes of the next probes: each destination's packet is built once by
// libnet, then copied into a place of the batch and patched per probe.
//
// Invariant: what prepare() returns equals what libnet builds for the same
// fields. No allocation after construction. Sender thread only.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/probe/protocol.h"

namespace volley::probe {

class ProbeFrames {
 public:
  // `places`: packets that can be held at once.
  ProbeFrames(const ProbePlan& plan, std::uint32_t places);

  // The packet of a probe, valid until the same place is prepared again.
  std::span<const std::uint8_t> prepare(std::uint32_t place, std::uint32_t destination, const ProbeFields& fields);

 private:
  // Everything that differs between destinations or probes lies before this:
  // IP and TCP headers with options (80 bytes), or IPv6, UDP and an NTP request (96).
  static constexpr std::size_t kPrefixBytes = 128;
  using Prefix = std::array<std::uint8_t, kPrefixBytes>;

  // The places of one family: whole packets, of which the prefix is rewritten.
  struct Places {
    std::size_t packet_bytes = 0;
    std::vector<std::uint8_t> bytes;
  };

  const ProbePlan& plan_;
  const ProtocolRow& row_;
  std::vector<Prefix> prefixes_;  // by destination
  Places v4_;
  Places v6_;
};

}  // namespace volley::probe

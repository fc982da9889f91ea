// The table of probe protocols: how each is built, patched, filtered and recognised.
//
// Constant; any thread. A new protocol is one file NAME_protocol.cc and one line in
// the table of protocol.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "volley/probe/endpoints.h"
#include "volley/probe/packet_builder.h"
#include "volley/probe/plan.h"
#include "volley/probe/sighting.h"
#include "volley/wire/packet.h"

namespace volley::probe {

// What differs from one probe of a destination to the next.
struct ProbeFields {
  std::uint32_t token = 0;
  std::uint16_t source_port = 0;      // TCP, UDP
  std::uint16_t echo_identifier = 0;  // ICMP
  std::uint16_t echo_sequence = 0;    // ICMP
  std::uint32_t timestamp = 0;        // TCP: value of the timestamps option
};

// pcap filter texts, without direction keywords. Each holds for both families
// of the plan; both joined by "or" serve a handle that sees everything once.
struct CaptureFilters {
  std::string departures;
  std::string arrivals;
};

struct ProtocolRow {
  Protocol protocol;
  std::string_view name;
  // The whole packet with these fields, by libnet.
  std::vector<std::uint8_t> (*build)(PacketBuilder&, const ProbePlan&, const Destination&, const ProbeFields&);
  // Turns a packet that build() made for any fields into the one for these.
  void (*patch)(const ProbePlan&, const ProbeFields&, std::span<std::uint8_t> packet);
  // What of the probe every answer shows.
  FlowKey (*key)(std::uint32_t destination, const ProbeFields&);
  Sighting (*recognise)(const ProbePlan&, const Endpoints&, const wire::DecodedPacket&);
  CaptureFilters (*filters)(const ProbePlan&);
};

// Each in the file of its protocol.
const ProtocolRow& tcp_row();
const ProtocolRow& udp_row();
const ProtocolRow& icmp_row();

const ProtocolRow& protocol_row(Protocol protocol);

// A SYN that can leave a half-open entry at the target (DESIGN rule 5).
bool opens_half(const ProbePlan& plan);

// Resets are looked at on one source port of sixteen, so that they don't double
// the capture's work.
inline constexpr std::uint16_t kResetSampleMask = 15;
constexpr bool is_reset_sampled(const ProbePlan& plan, std::uint16_t source_port) {
  return (source_port & kResetSampleMask) == (plan.seed & kResetSampleMask);
}

}  // namespace volley::probe

// Templates of probe packets and their patched copies. Sender thread only.
#include "volley/probe/frame.h"

#include <algorithm>

namespace volley::probe {

ProbeFrames::ProbeFrames(const ProbePlan& plan, std::uint32_t places)
    : plan_(plan), row_(protocol_row(plan.protocol)), prefixes_(plan.destinations.size()) {
  PacketBuilder builder;
  for (std::size_t i = 0; i < plan.destinations.size(); ++i) {
    const Destination& to = plan.destinations[i];
    const std::vector<std::uint8_t> packet = row_.build(builder, plan, to, ProbeFields{});
    std::copy_n(packet.begin(), std::min(packet.size(), kPrefixBytes), prefixes_[i].begin());
    Places& family = to.address.is_v6() ? v6_ : v4_;
    if (family.bytes.empty()) {
      family.packet_bytes = packet.size();
      for (std::uint32_t place = 0; place < places; ++place) {
        family.bytes.insert(family.bytes.end(), packet.begin(), packet.end());
      }
    }
  }
}

std::span<const std::uint8_t> ProbeFrames::prepare(std::uint32_t place, std::uint32_t destination,
                                                   const ProbeFields& fields) {
  Places& family = plan_.destinations[destination].address.is_v6() ? v6_ : v4_;
  const std::span<std::uint8_t> packet =
      std::span(family.bytes).subspan(place * family.packet_bytes, family.packet_bytes);
  const Prefix& prefix = prefixes_[destination];
  std::copy_n(prefix.begin(), std::min(packet.size(), kPrefixBytes), packet.begin());
  row_.patch(plan_, fields, packet);
  return packet;
}

}  // namespace volley::probe

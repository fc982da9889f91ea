// Frames into a capture file (see the header).
#include "volley/app/capture_tap.h"

#include "volley/wire/decode.h"
#include "volley/wire/encode.h"
#include "volley/wire/ethernet.h"

namespace volley::app {
namespace {

wire::FrameDirection direction_of(probe::FrameOrigin origin, const wire::LinkInfo& link) {
  switch (origin) {
    case probe::FrameOrigin::departure:
      return wire::FrameDirection::outgoing;
    case probe::FrameOrigin::arrival:
      return wire::FrameDirection::incoming;
    case probe::FrameOrigin::either:
      return link.direction;
  }
  return link.direction;
}

}  // namespace

void CaptureTap::on_frame(const probe::CapturedFrame& frame) {
  wire::LinkInfo link;
  const auto payload = wire::read_link(frame.link_type, frame.bytes, link);
  if (!payload) return;
  if (payload->ethertype != wire::kEthertypeIpv4 && payload->ethertype != wire::kEthertypeIpv6) return;
  const auto header = wire::encode_cooked_v2(
      {.family = payload->ethertype == wire::kEthertypeIpv6 ? wire::IpFamily::v6 : wire::IpFamily::v4,
       .direction = direction_of(frame.origin, link),
       .interface_index = link.interface_index});
  const std::size_t link_bytes = frame.bytes.size() - payload->bytes.size();
  writer_.write(frame.time_ns, header, payload->bytes, frame.wire_length - static_cast<std::uint32_t>(link_bytes));
}

}  // namespace volley::app

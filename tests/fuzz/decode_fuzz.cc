// Fuzz target of wire/decode: the first byte picks the link type, the rest is the frame.
//
// Beyond what sanitizers see, it checks the promises of packet.h: spans inside
// the frame, one transport header at most, a quote for every error that is ok.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <span>

#include "volley/wire/decode.h"

namespace {

using namespace volley::wire;

constexpr LinkType kLinkTypes[] = {LinkType::ethernet, LinkType::linux_cooked_v1, LinkType::linux_cooked_v2,
                                   LinkType::raw_ip,   LinkType::null_loopback,   LinkType::loop};

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

void require_inside(std::span<const std::uint8_t> part, std::span<const std::uint8_t> whole) {
  const std::less_equal<> not_after;
  require(part.empty() ||
          (not_after(whole.data(), part.data()) && not_after(part.data() + part.size(), whole.data() + whole.size())));
}

// The transport headers of a packet or a quote: how many there are.
int checked_transports(const auto& packet, std::span<const std::uint8_t> whole) {
  int count = 0;
  const auto check = [&](const auto& header) {
    if (header) {
      require_inside(header->payload, whole);
      ++count;
    }
  };
  check(packet.tcp);
  check(packet.udp);
  check(packet.icmp);
  require(count <= 1);
  return count;
}

void check_promises(DecodeStatus status, const DecodedPacket& packet, std::span<const std::uint8_t> frame) {
  const int transports = checked_transports(packet, frame);
  if (packet.quoted) {
    checked_transports(*packet.quoted, frame);
    require(is_icmp_error(packet));
  }
  if (status == DecodeStatus::ok) {
    require(transports == 1);
    require(is_icmp_error(packet) == packet.quoted.has_value());
  }
  require(!to_string(status).empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::span<const std::uint8_t> input(data, size);
  const auto frame = input.subspan(1);
  DecodedPacket packet;
  check_promises(decode(kLinkTypes[input[0] % std::size(kLinkTypes)], frame, packet), packet, frame);
  check_promises(decode_ip(frame, packet), packet, frame);
  return 0;
}

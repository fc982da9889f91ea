// The table of protocols. Constant; any thread.
#include "volley/probe/protocol.h"

namespace volley::probe {

const ProtocolRow& protocol_row(Protocol protocol) {
  for (const auto row : {tcp_row, udp_row, icmp_row}) {
    if (row().protocol == protocol) {
      return row();
    }
  }
  return tcp_row();
}

bool opens_half(const ProbePlan& plan) {
  constexpr std::uint8_t kHandshake = wire::tcp_flag::kSyn | wire::tcp_flag::kAck;
  return plan.protocol == Protocol::tcp && (plan.tcp_flags & kHandshake) == wire::tcp_flag::kSyn;
}

}  // namespace volley::probe

// Questions about a decoded packet.
//
// Pure; any thread.
#include "volley/wire/packet.h"

#include "volley/wire/icmp.h"

namespace volley::wire {

bool is_icmp_error(const DecodedPacket& packet) {
  return packet.icmp &&
         is_icmp_error_type(packet.ip.source.is_v6() ? IpProtocol::icmpv6 : IpProtocol::icmp, packet.icmp->type);
}

}  // namespace volley::wire

// Reads the UDP header.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/udp.h"

#include <algorithm>

#include "volley/wire/byte_order.h"

namespace volley::wire {

DecodeStatus read_quoted_udp(const IpPayload& datagram, UdpInfo& udp) {
  const auto bytes = datagram.bytes;
  if (bytes.size() < kUdpHeaderBytes) {
    return DecodeStatus::truncated_transport;
  }
  udp.source_port = load_be16(bytes, kUdpSourcePortOffset);
  udp.destination_port = load_be16(bytes, kUdpDestinationPortOffset);
  udp.length = load_be16(bytes, kUdpLengthOffset);
  udp.checksum = load_be16(bytes, kUdpChecksumOffset);
  const std::size_t end = std::clamp<std::size_t>(udp.length, kUdpHeaderBytes, bytes.size());
  udp.payload = bytes.subspan(kUdpHeaderBytes, end - kUdpHeaderBytes);
  return DecodeStatus::ok;
}

DecodeStatus read_udp(const IpPayload& datagram, const IpInfo& ip, UdpInfo& udp) {
  const DecodeStatus status = read_quoted_udp(datagram, udp);
  if (status != DecodeStatus::ok) {
    return status;
  }
  const bool overruns = udp.length > datagram.declared_bytes && !ip.more_fragments;
  return udp.length < kUdpHeaderBytes || overruns ? DecodeStatus::bad_transport_header : DecodeStatus::ok;
}

}  // namespace volley::wire

// Reads ICMP and ICMPv6 messages, and finds the packet that an error quotes.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/icmp.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

// RFC 4884 section 4: what the length field counts in, and the shortest quote
// that a message with extensions may have.
constexpr std::size_t kExtendedQuoteMinBytes = 128;
constexpr std::size_t kV4QuoteUnitBytes = 4;
constexpr std::size_t kV6QuoteUnitBytes = 8;

bool is_echo(IpProtocol protocol, std::uint8_t type) {
  return protocol == IpProtocol::icmp ? type == kIcmpEchoRequest || type == kIcmpEchoReply
                                      : type == kIcmpv6EchoRequest || type == kIcmpv6EchoReply;
}

// 0 if the message has no length field, or it is unused.
std::size_t quote_length(IpProtocol protocol, const IcmpInfo& icmp) {
  if (protocol == IpProtocol::icmp) {
    const bool has_length =
        icmp.type == kIcmpUnreachable || icmp.type == kIcmpTimeExceeded || icmp.type == kIcmpParameterProblem;
    return has_length ? ((icmp.rest_of_header >> 16U) & 0xffU) * kV4QuoteUnitBytes : 0;
  }
  const bool has_length = icmp.type == kIcmpv6Unreachable || icmp.type == kIcmpv6TimeExceeded;
  return has_length ? (icmp.rest_of_header >> 24U) * kV6QuoteUnitBytes : 0;
}

}  // namespace

bool is_icmp_error_type(IpProtocol protocol, std::uint8_t type) {
  if (protocol == IpProtocol::icmpv6) {
    return type < kIcmpv6FirstInformational;
  }
  return type == kIcmpUnreachable || type == kIcmpSourceQuench || type == kIcmpRedirect || type == kIcmpTimeExceeded ||
         type == kIcmpParameterProblem;
}

DecodeStatus read_icmp(const IpPayload& message, IpProtocol protocol, IcmpInfo& icmp) {
  const auto bytes = message.bytes;
  if (bytes.size() < kIcmpHeaderBytes) {
    return DecodeStatus::truncated_transport;
  }
  icmp.type = bytes[kIcmpTypeOffset];
  icmp.code = bytes[kIcmpCodeOffset];
  icmp.checksum = load_be16(bytes, kIcmpChecksumOffset);
  icmp.rest_of_header = load_be32(bytes, kIcmpIdentifierOffset);
  if (is_echo(protocol, icmp.type)) {
    icmp.identifier = load_be16(bytes, kIcmpIdentifierOffset);
    icmp.sequence = load_be16(bytes, kIcmpSequenceOffset);
  }
  icmp.payload = bytes.subspan(kIcmpHeaderBytes);
  return DecodeStatus::ok;
}

IcmpQuote split_icmp_quote(const IpPayload& message, IpProtocol protocol, const IcmpInfo& icmp) {
  const std::size_t length = quote_length(protocol, icmp);
  // Shorter than RFC 4884 allows: bytes that an older router left in a field
  // that was unused then.
  if (length < kExtendedQuoteMinBytes) {
    return {icmp.payload, {}, true};
  }
  if (length > message.declared_bytes - kIcmpHeaderBytes) {
    return {icmp.payload, {}, false};
  }
  if (length > icmp.payload.size()) {
    return {icmp.payload, {}, true};  // the capture cut it
  }
  return {icmp.payload.first(length), icmp.payload.subspan(length), true};
}

}  // namespace volley::wire

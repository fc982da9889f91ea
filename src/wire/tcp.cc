// Reads the TCP header and its options.
//
// Pure; never reads outside the span. Any thread.
#include "volley/wire/tcp.h"

#include "volley/wire/byte_order.h"

namespace volley::wire {

namespace {

void read_ports_and_sequence(std::span<const std::uint8_t> bytes, TcpInfo& tcp) {
  tcp.source_port = load_be16(bytes, kTcpSourcePortOffset);
  tcp.destination_port = load_be16(bytes, kTcpDestinationPortOffset);
  tcp.sequence = load_be32(bytes, kTcpSequenceOffset);
}

void read_fixed_rest(std::span<const std::uint8_t> bytes, TcpInfo& tcp) {
  tcp.acknowledgement = load_be32(bytes, kTcpAcknowledgementOffset);
  tcp.flags = bytes[kTcpFlagsOffset];
  tcp.window = load_be16(bytes, kTcpWindowOffset);
}

std::size_t header_length(std::span<const std::uint8_t> bytes) {
  return (bytes[kTcpDataOffsetOffset] >> 4U) * std::size_t{4};
}

// `option` is one whole option; one whose length isn't its kind's is not read.
void read_option(std::span<const std::uint8_t> option, TcpOptions& options) {
  switch (option[0]) {
    case kTcpOptionMss:
      if (option.size() == kTcpOptionMssBytes) {
        options.mss = load_be16(option, 2);
      }
      break;
    case kTcpOptionWindowScale:
      if (option.size() == kTcpOptionWindowScaleBytes) {
        options.window_scale = option[2];
      }
      break;
    case kTcpOptionSackPermitted:
      options.sack_permitted = options.sack_permitted || option.size() == kTcpOptionSackPermittedBytes;
      break;
    case kTcpOptionTimestamps:
      if (option.size() == kTcpOptionTimestampsBytes) {
        options.timestamp_value = load_be32(option, 2);
        options.timestamp_echo = load_be32(option, 6);
      }
      break;
    default:
      break;
  }
}

}  // namespace

TcpOptions read_tcp_options(std::span<const std::uint8_t> bytes) {
  TcpOptions options;
  std::size_t at = 0;
  while (at < bytes.size() && bytes[at] != kTcpOptionEnd) {
    if (bytes[at] == kTcpOptionNop) {
      ++at;
      continue;
    }
    if (at + 1 == bytes.size()) {
      break;
    }
    const std::size_t length = bytes[at + 1];
    if (length < 2 || length > bytes.size() - at) {
      break;
    }
    read_option(bytes.subspan(at, length), options);
    at += length;
  }
  return options;
}

DecodeStatus read_tcp(const IpPayload& segment, TcpInfo& tcp) {
  const auto bytes = segment.bytes;
  if (bytes.size() < kTcpHeaderBytes) {
    return DecodeStatus::truncated_transport;
  }
  read_ports_and_sequence(bytes, tcp);
  read_fixed_rest(bytes, tcp);
  const std::size_t header_bytes = header_length(bytes);
  if (header_bytes < kTcpHeaderBytes || header_bytes > segment.declared_bytes) {
    return DecodeStatus::bad_transport_header;
  }
  if (header_bytes > bytes.size()) {
    return DecodeStatus::truncated_transport;
  }
  tcp.options = read_tcp_options(bytes.subspan(kTcpOptionsOffset, header_bytes - kTcpHeaderBytes));
  tcp.payload = bytes.subspan(header_bytes);
  return DecodeStatus::ok;
}

DecodeStatus read_quoted_tcp(const IpPayload& segment, TcpInfo& tcp) {
  const auto bytes = segment.bytes;
  if (bytes.size() < kQuotedTransportBytes) {
    return DecodeStatus::truncated_transport;
  }
  read_ports_and_sequence(bytes, tcp);
  if (bytes.size() < kTcpHeaderBytes) {
    return DecodeStatus::ok;
  }
  const std::size_t header_bytes = header_length(bytes);
  if (header_bytes < kTcpHeaderBytes) {
    return DecodeStatus::ok;
  }
  read_fixed_rest(bytes, tcp);
  if (header_bytes <= bytes.size()) {
    tcp.options = read_tcp_options(bytes.subspan(kTcpOptionsOffset, header_bytes - kTcpHeaderBytes));
    tcp.payload = bytes.subspan(header_bytes);
  }
  return DecodeStatus::ok;
}

}  // namespace volley::wire

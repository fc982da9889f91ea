// Tests of wire/tcp: options of every kind and every wrong length, whole and quoted headers.
#include "volley/wire/tcp.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "volley/wire/byte_order.h"

using namespace volley::wire;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes header(std::uint8_t words, std::size_t size) {
  Bytes bytes(size);
  store_be16(bytes, kTcpSourcePortOffset, 40211);
  store_be16(bytes, kTcpDestinationPortOffset, 443);
  store_be32(bytes, kTcpSequenceOffset, 0xdeadbeef);
  if (size >= kTcpHeaderBytes) {
    store_be32(bytes, kTcpAcknowledgementOffset, 0x01020304);
    bytes[kTcpDataOffsetOffset] = static_cast<std::uint8_t>(words << 4U);
    bytes[kTcpFlagsOffset] = tcp_flag::kRst;
    store_be16(bytes, kTcpWindowOffset, 512);
  }
  return bytes;
}

}  // namespace

TEST_CASE("options in any order with padding", "[wire][tcp]") {
  const Bytes bytes = {1, 1, 8, 10, 0, 0, 0, 5, 0xff, 0xff, 0xff, 0xff, 3, 3, 14, 4, 2, 2, 4, 5, 0xb4, 0, 2, 4, 0, 1};
  const TcpOptions options = read_tcp_options(bytes);
  CHECK(options.mss == 1460);  // what follows the end of options is not read
  CHECK(options.window_scale == 14);
  CHECK(options.sack_permitted);
  CHECK(options.timestamp_value == 5U);
  CHECK(options.timestamp_echo == 0xffffffffU);
}

TEST_CASE("unknown options are stepped over", "[wire][tcp]") {
  // Fast open (34) with a cookie, and user timeout (28).
  const Bytes bytes = {34, 6, 1, 2, 3, 4, 28, 4, 0, 9, 2, 4, 2, 0x18};
  CHECK(read_tcp_options(bytes).mss == 536);
}

TEST_CASE("an impossible length ends the options", "[wire][tcp]") {
  CHECK(read_tcp_options(Bytes{3, 3, 7, 2, 0, 5, 0xb4}).window_scale == 7);
  CHECK_FALSE(read_tcp_options(Bytes{3, 3, 7, 2, 0, 5, 0xb4}).mss);        // length 0
  CHECK_FALSE(read_tcp_options(Bytes{2, 1, 4, 2}).sack_permitted);         // length 1
  CHECK_FALSE(read_tcp_options(Bytes{8, 10, 0, 0, 0, 1}).timestamp_echo);  // longer than what is left
  CHECK_FALSE(read_tcp_options(Bytes{1, 2}).mss);                          // no length byte
  CHECK_FALSE(read_tcp_options(Bytes{}).mss);
}

TEST_CASE("a known option of another length is not believed", "[wire][tcp]") {
  const TcpOptions options = read_tcp_options(Bytes{2, 3, 5, 3, 4, 7, 7, 4, 3, 1, 8, 6, 0, 0, 0, 1, 2, 4, 5, 0xb4});
  CHECK(options.mss == 1460);
  CHECK_FALSE(options.window_scale);
  CHECK_FALSE(options.sack_permitted);
  CHECK_FALSE(options.timestamp_value);
}

TEST_CASE("random option bytes are read inside their bounds", "[wire][tcp]") {
  std::mt19937 random(9293);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes(random() % 41);
    for (auto& byte : bytes) {
      byte = static_cast<std::uint8_t>(random() % 12);
    }
    const TcpOptions options = read_tcp_options(bytes);
    CHECK(options.timestamp_value.has_value() == options.timestamp_echo.has_value());
  }
}

TEST_CASE("a whole header", "[wire][tcp]") {
  const Bytes bytes = header(5, 26);
  TcpInfo tcp;
  REQUIRE(read_tcp({bytes, bytes.size()}, tcp) == DecodeStatus::ok);
  CHECK(tcp.source_port == 40211);
  CHECK(tcp.destination_port == 443);
  CHECK(tcp.sequence == 0xdeadbeef);
  CHECK(tcp.acknowledgement == 0x01020304);
  CHECK(tcp.flags == tcp_flag::kRst);
  CHECK(tcp.window == 512);
  CHECK(tcp.payload.size() == 6);
}

TEST_CASE("a header that contradicts its packet, or was cut", "[wire][tcp]") {
  TcpInfo tcp;
  const Bytes short_offset = header(4, 40);
  CHECK(read_tcp({short_offset, 40}, tcp) == DecodeStatus::bad_transport_header);
  const Bytes long_offset = header(11, 40);
  CHECK(read_tcp({long_offset, 40}, tcp) == DecodeStatus::bad_transport_header);
  CHECK(read_tcp({long_offset, 44}, tcp) == DecodeStatus::truncated_transport);  // the capture cut it
  const Bytes cut = header(5, 19);
  CHECK(read_tcp({cut, 60}, tcp) == DecodeStatus::truncated_transport);
}

TEST_CASE("a quoted header is believed as far as it goes", "[wire][tcp]") {
  TcpInfo tcp;
  const Bytes seven = header(5, 8);
  CHECK(read_quoted_tcp({std::span(seven).first(7), 40}, tcp) == DecodeStatus::truncated_transport);
  TcpInfo eight;
  CHECK(read_quoted_tcp({seven, 40}, eight) == DecodeStatus::ok);
  CHECK(eight.source_port == 40211);
  CHECK(eight.sequence == 0xdeadbeef);
  CHECK(eight.flags == 0);
  // Eight bytes that the router padded with zeros.
  Bytes padded = header(5, 8);
  padded.resize(108);
  TcpInfo zeros;
  CHECK(read_quoted_tcp({padded, 40}, zeros) == DecodeStatus::ok);
  CHECK(zeros.sequence == 0xdeadbeef);
  CHECK(zeros.payload.empty());
  // A fixed header whose options were cut off.
  const Bytes fixed = header(10, 20);
  TcpInfo without_options;
  CHECK(read_quoted_tcp({fixed, 40}, without_options) == DecodeStatus::ok);
  CHECK(without_options.flags == tcp_flag::kRst);
  CHECK(without_options.window == 512);
  CHECK(without_options.payload.empty());
}

// Tests of probe payloads: what is written, and what is read back.
#include "volley/probe/payload.h"

#include <catch2/catch.hpp>

using namespace volley::probe;

TEST_CASE("a payload shows the id that was put into it", "[payload]") {
  for (const UdpPayload kind : {UdpPayload::sized, UdpPayload::echo, UdpPayload::dns, UdpPayload::ntp}) {
    const std::size_t bytes = kind == UdpPayload::dns ? kDnsQueryBytes : kNtpRequestBytes;
    std::vector<std::uint8_t> payload = make_payload(kind, bytes, {});
    const std::vector<std::uint8_t> before = payload;
    put_token(kind, payload, 0x89abcdef);
    CHECK(token_in_probe(kind, payload, bytes).fits(0x89abcdef));
    CHECK_FALSE(token_in_probe(kind, payload, bytes).fits(0x89abcdee));
    const PatchedRange range = patched_range(kind, bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      if (i < range.offset || i >= range.offset + range.bytes) REQUIRE(payload[i] == before[i]);
    }
    CHECK(guess_payload(payload, bytes) == (kind == UdpPayload::echo ? UdpPayload::sized : kind));
  }
}

TEST_CASE("short payloads show a part of the id", "[payload]") {
  for (std::size_t bytes = 0; bytes < 4; ++bytes) {
    std::vector<std::uint8_t> payload = make_payload(UdpPayload::sized, bytes, {});
    put_token(UdpPayload::sized, payload, 0x01020304);
    const TokenEvidence seen = token_in_probe(UdpPayload::sized, payload, bytes);
    CHECK(seen.fits(0x01020304));
    CHECK(seen.fits(0x01020304 ^ 0xffU));
    CHECK(seen.fits(0x81020304) == (bytes == 0));
    CHECK(seen.is_flow_alone() == (bytes == 0));
  }
}

TEST_CASE("the DNS query is what a resolver expects", "[payload]") {
  std::vector<std::uint8_t> query = make_payload(UdpPayload::dns, kDnsQueryBytes, {});
  put_token(UdpPayload::dns, query, 0xffff1234);
  // IP 10.0.0.1.40000 > 10.0.0.2.53: 4660+ A? localhost. (27)
  const std::vector<std::uint8_t> expected = {0x12, 0x34, 0x01, 0x00, 0,   1,   0,   0,   0, 0, 0, 0, 9, 'l',
                                              'o',  'c',  'a',  'l',  'h', 'o', 's', 't', 0, 0, 1, 0, 1};
  CHECK(query == expected);
}

TEST_CASE("payloads of others are custom", "[payload]") {
  CHECK(guess_payload({}, 0) == UdpPayload::custom);
  const std::vector<std::uint8_t> text = {'h', 'e', 'l', 'l', 'o', ' ', 'y', 'o', 'u'};
  CHECK(guess_payload(text, text.size()) == UdpPayload::custom);
  std::vector<std::uint8_t> ntp = make_payload(UdpPayload::ntp, kNtpRequestBytes, {});
  ntp[47] = 1;  // another client's transmit timestamp
  CHECK(guess_payload(ntp, ntp.size()) == UdpPayload::custom);
}

TEST_CASE("custom bytes are sent as they are", "[payload]") {
  const std::vector<std::uint8_t> custom = {9, 8, 7};
  std::vector<std::uint8_t> payload = make_payload(UdpPayload::custom, 3, custom);
  put_token(UdpPayload::custom, payload, 0x12345678);
  CHECK(payload == custom);
  CHECK(token_in_probe(UdpPayload::custom, payload, 3).is_flow_alone());
}

// Payloads of probes: sized (ICMP and TCP too), echo, DNS, NTP and custom. Pure; any thread.
#include "volley/probe/payload.h"

#include <algorithm>
#include <array>

#include "volley/wire/byte_order.h"

namespace volley::probe {

namespace {

constexpr std::size_t kTokenBytes = 4;
// Fewer known bytes than this can't tell an echo from chance.
constexpr std::size_t kMinFillerBytes = 4;

// DNS (RFC 1035 section 4.1).
constexpr std::size_t kDnsHeaderBytes = 12;
constexpr std::uint8_t kDnsRecursionDesired = 0x01;  // in the first flag byte
constexpr std::uint8_t kDnsResponse = 0x80;          // in the first flag byte
constexpr std::size_t kDnsFlagsOffset = 2;
constexpr std::uint32_t kDnsIdMask = 0xffff;
// "localhost" (RFC 6761 section 6.3): name servers answer it themselves, so
// what is measured is this server and not those behind it.
constexpr std::array<std::uint8_t, kDnsQueryBytes - kDnsHeaderBytes> kDnsQuestion = {
    9, 'l', 'o', 'c', 'a', 'l', 'h', 'o', 's', 't', 0, 0, 1, 0, 1};

// NTP (RFC 5905 section 7.3).
constexpr std::uint8_t kNtpClientVersion4 = 0x23;  // no leap warning, version 4, mode 3
constexpr std::uint8_t kNtpModeMask = 0x07;
constexpr std::uint8_t kNtpServerMode = 4;
constexpr std::size_t kNtpOriginOffset = 24;
constexpr std::size_t kNtpTransmitOffset = 40;

std::uint32_t token_mask(std::size_t bytes) {
  return bytes >= kTokenBytes ? 0xffffffffU : ~(0xffffffffU >> (8 * bytes));
}

// The id's bytes at the start of a payload, as far as they go.
TokenEvidence leading_token(std::span<const std::uint8_t> payload) {
  std::array<std::uint8_t, kTokenBytes> bytes{};
  const std::size_t count = std::min(payload.size(), kTokenBytes);
  std::copy_n(payload.begin(), count, bytes.begin());
  return TokenEvidence::part(wire::load_be32(bytes), token_mask(count));
}

bool has_filler(std::span<const std::uint8_t> payload) {
  for (std::size_t i = kTokenBytes; i < payload.size(); ++i) {
    if (payload[i] != filler_byte(i)) {
      return false;
    }
  }
  return true;
}

// An answer in the target's own words is known by its flow; one that is ours
// come back must be that probe's.
TokenEvidence token_in_sized_reply(std::span<const std::uint8_t> payload, std::size_t declared_bytes,
                                   std::size_t sent_bytes) {
  const bool is_ours = declared_bytes == sent_bytes && payload.size() >= kTokenBytes &&
                       (sent_bytes < kTokenBytes + kMinFillerBytes || has_filler(payload));
  return is_ours ? leading_token(payload) : TokenEvidence::flow_alone();
}

TokenEvidence token_in_ntp(std::span<const std::uint8_t> payload, std::size_t offset) {
  const std::uint32_t high = wire::load_be32(payload, offset);
  const std::uint32_t low = wire::load_be32(payload, offset + kTokenBytes);
  return high == low ? TokenEvidence::exact(high) : TokenEvidence::refuted();
}

}  // namespace

std::uint8_t filler_byte(std::size_t offset) {
  return static_cast<std::uint8_t>(offset * 7 + 0x5a);
}

std::vector<std::uint8_t> make_payload(UdpPayload kind, std::size_t bytes, std::span<const std::uint8_t> custom) {
  std::vector<std::uint8_t> payload(bytes);
  switch (kind) {
    case UdpPayload::sized:
    case UdpPayload::echo:
      for (std::size_t i = kTokenBytes; i < bytes; ++i) {
        payload[i] = filler_byte(i);
      }
      break;
    case UdpPayload::dns:
      payload.resize(kDnsHeaderBytes);
      payload[kDnsFlagsOffset] = kDnsRecursionDesired;
      payload[5] = 1;  // one question
      payload.insert(payload.end(), kDnsQuestion.begin(), kDnsQuestion.end());
      break;
    case UdpPayload::ntp:
      payload[0] = kNtpClientVersion4;
      break;
    case UdpPayload::custom:
      payload.assign(custom.begin(), custom.end());
      break;
  }
  return payload;
}

PatchedRange patched_range(UdpPayload kind, std::size_t bytes) {
  switch (kind) {
    case UdpPayload::sized:
    case UdpPayload::echo:
      return {0, std::min(bytes, kTokenBytes)};
    case UdpPayload::dns:
      return {0, 2};
    case UdpPayload::ntp:
      return {kNtpTransmitOffset, 2 * kTokenBytes};
    case UdpPayload::custom:
      break;
  }
  return {};
}

void put_token(UdpPayload kind, std::span<std::uint8_t> payload, std::uint32_t token) {
  switch (kind) {
    case UdpPayload::sized:
    case UdpPayload::echo:
      for (std::size_t i = 0; i < std::min(payload.size(), kTokenBytes); ++i) {
        payload[i] = static_cast<std::uint8_t>(token >> (24 - 8 * i));
      }
      break;
    case UdpPayload::dns:
      wire::store_be16(payload, 0, static_cast<std::uint16_t>(token));
      break;
    case UdpPayload::ntp:
      wire::store_be32(payload, kNtpTransmitOffset, token);
      wire::store_be32(payload, kNtpTransmitOffset + kTokenBytes, token);
      break;
    case UdpPayload::custom:
      break;
  }
}

TokenEvidence token_in_probe(UdpPayload kind, std::span<const std::uint8_t> payload, std::size_t sent_bytes) {
  switch (kind) {
    case UdpPayload::sized:
    case UdpPayload::echo:
      return leading_token(payload.first(std::min(payload.size(), sent_bytes)));
    case UdpPayload::dns:
      return payload.size() < 2 ? TokenEvidence::flow_alone()
                                : TokenEvidence::part(wire::load_be16(payload), kDnsIdMask);
    case UdpPayload::ntp:
      return payload.size() < kNtpRequestBytes ? TokenEvidence::flow_alone()
                                               : token_in_ntp(payload, kNtpTransmitOffset);
    case UdpPayload::custom:
      break;
  }
  return TokenEvidence::flow_alone();
}

TokenEvidence token_in_reply(UdpPayload kind, std::span<const std::uint8_t> payload, std::size_t declared_bytes,
                             std::size_t sent_bytes) {
  switch (kind) {
    case UdpPayload::sized:
      return token_in_sized_reply(payload, declared_bytes, sent_bytes);
    case UdpPayload::echo:
      return payload.size() < kTokenBytes ? TokenEvidence::refuted() : leading_token(payload);
    case UdpPayload::dns:
      return payload.size() < kDnsHeaderBytes || (payload[kDnsFlagsOffset] & kDnsResponse) == 0
                 ? TokenEvidence::refuted()
                 : TokenEvidence::part(wire::load_be16(payload), kDnsIdMask);
    case UdpPayload::ntp:
      return payload.size() < kNtpRequestBytes || (payload[0] & kNtpModeMask) != kNtpServerMode
                 ? TokenEvidence::refuted()
                 : token_in_ntp(payload, kNtpOriginOffset);
    case UdpPayload::custom:
      break;
  }
  return TokenEvidence::flow_alone();
}

UdpPayload guess_payload(std::span<const std::uint8_t> payload, std::size_t declared_bytes) {
  for (const UdpPayload kind : {UdpPayload::dns, UdpPayload::ntp}) {
    std::vector<std::uint8_t> ours =
        make_payload(kind, kind == UdpPayload::dns ? kDnsQueryBytes : kNtpRequestBytes, {});
    const PatchedRange id = patched_range(kind, ours.size());
    if (payload.size() != ours.size()) {
      continue;
    }
    std::copy_n(payload.begin() + static_cast<std::ptrdiff_t>(id.offset), id.bytes,
                ours.begin() + static_cast<std::ptrdiff_t>(id.offset));
    if (std::equal(payload.begin(), payload.end(), ours.begin()) && token_in_probe(kind, payload, 0).mask != 0) {
      return kind;
    }
  }
  const bool is_sized = payload.size() >= kTokenBytes + kMinFillerBytes && payload.size() <= declared_bytes;
  return is_sized && has_filler(payload) ? UdpPayload::sized : UdpPayload::custom;
}

}  // namespace volley::probe

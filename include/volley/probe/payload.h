// What our probes carry, and how an answer shows which probe it answers.
//
// Pure; any thread. One row a kind: a payload with the probe id left out, where
// the id goes, and what a reply must hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/probe/token_evidence.h"

namespace volley::probe {

inline constexpr std::size_t kDnsQueryBytes = 27;
inline constexpr std::size_t kNtpRequestBytes = 48;  // RFC 5905 section 7.3, without extensions

// The bytes that follow the probe id in a sized payload: how an answer that
// returns ours is told from one with words of its own.
std::uint8_t filler_byte(std::size_t offset);

// The payload with the id's bytes zero; `bytes` long.
std::vector<std::uint8_t> make_payload(UdpPayload kind, std::size_t bytes, std::span<const std::uint8_t> custom);

// Writes the id into a payload that make_payload made. Returns the first
// offset that it may have changed (even) and how many bytes; 0 bytes: none.
struct PatchedRange {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};
PatchedRange patched_range(UdpPayload kind, std::size_t bytes);
void put_token(UdpPayload kind, std::span<std::uint8_t> payload, std::uint32_t token);

// What a probe of ours holds of its id, read back from its own payload (as it
// leaves, or quoted): exact, in part, or nothing.
TokenEvidence token_in_probe(UdpPayload kind, std::span<const std::uint8_t> payload, std::size_t sent_bytes);

// The same of a reply's payload, of which `payload` was captured.
TokenEvidence token_in_reply(UdpPayload kind, std::span<const std::uint8_t> payload, std::size_t declared_bytes,
                             std::size_t sent_bytes);

// Which kind of payload a captured UDP probe carries, if it is one of ours; else
// custom. `declared_bytes` is its length on the wire.
UdpPayload guess_payload(std::span<const std::uint8_t> payload, std::size_t declared_bytes);

}  // namespace volley::probe

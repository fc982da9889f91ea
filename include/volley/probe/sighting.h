// What a captured packet is to this run: one of its probes leaving, its
// kernel's reset, an answer, an error about a probe, or nothing.
//
// A plain value; any thread.
#pragma once

#include <cstdint>

#include "volley/probe/flight_table.h"
#include "volley/probe/outcome.h"
#include "volley/probe/token_evidence.h"

namespace volley::probe {

enum class SightingKind : std::uint8_t {
  none,             // not ours
  probe,            // a probe of ours on its way out
  reset,            // our kernel's reset of a half-open entry, on its way out
  reply,            // proves that a probe reached its target
  acknowledgement,  // TCP: a bare ACK, which may speak for an older probe of the port
  error,            // an ICMP error about a probe, which proves no arrival
};

struct Sighting {
  SightingKind kind = SightingKind::none;
  FlowKey key;
  TokenEvidence evidence;
  ReplyKind reply = ReplyKind::none;
  std::uint32_t timestamp = 0;  // TCP timestamp value of an answer, 0: none
  std::uint8_t icmp_type = 0;   // of an error
  std::uint8_t icmp_code = 0;
};

}  // namespace volley::probe

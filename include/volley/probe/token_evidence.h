// What a packet shows of the probe id that it belongs to.
//
// A plain value; any thread.
#pragma once

#include <cstdint>

namespace volley::probe {

struct TokenEvidence {
  std::uint32_t value = 0;
  std::uint32_t mask = 0xffffffff;  // the bits that the packet shows; 0: none, the flow alone speaks
  std::uint32_t slack = 0;          // with a full mask: `value` may be this much above the id
  bool is_refuted = false;          // the packet can't be an answer to any probe of ours

  bool fits(std::uint32_t token) const {
    if (is_refuted) return false;
    return mask == 0xffffffff ? value - token <= slack : ((value ^ token) & mask) == 0;
  }
  // Nothing but addresses and ports says whose it is.
  bool is_flow_alone() const { return mask == 0 && !is_refuted; }

  static TokenEvidence exact(std::uint32_t token) { return {.value = token}; }
  static TokenEvidence part(std::uint32_t token, std::uint32_t mask) { return {.value = token, .mask = mask}; }
  static TokenEvidence flow_alone() { return {.mask = 0}; }
  static TokenEvidence refuted() { return {.is_refuted = true}; }
};

}  // namespace volley::probe

// The identity of a probe: 32 bits that only this run can compute.
//
// Immutable; any thread. The id is SipHash-2-4 of the probe's number under a
// key of 128 bits made from the run's seed and nonce: a keyed pseudorandom
// function, so ids of other runs, and guesses, fit one probe in 2^32. That is
// enough, as an answer must come on the probe's own flow as well. Ids of one run
// may repeat by chance; on one flow the chance is the same 2^-32.
#pragma once

#include <cstdint>

#include "volley/probe/plan.h"

namespace volley::probe {

// SipHash-2-4 (Aumasson, Bernstein 2012) of the 8 bytes of `word`, least significant first.
std::uint64_t siphash24(std::uint64_t key0, std::uint64_t key1, std::uint64_t word);

class ProbeIds {
 public:
  explicit ProbeIds(const ProbePlan& plan);

  std::uint32_t token(std::uint64_t number) const {
    return static_cast<std::uint32_t>(siphash24(key0_, key1_, number));
  }
  // Where the ICMP ids of a destination begin, and the offset of our TCP
  // timestamps (RFC 7323 section 7.1 asks for one that can't be guessed).
  std::uint16_t first_echo_id() const { return first_echo_id_; }
  std::uint32_t timestamp_offset() const { return timestamp_offset_; }

 private:
  std::uint64_t key0_;
  std::uint64_t key1_;
  std::uint16_t first_echo_id_;
  std::uint32_t timestamp_offset_;
};

// The IPv4 identification of a probe: the id's low half, but never 0, which the
// kernel would replace.
constexpr std::uint16_t ip_identification(std::uint32_t token) {
  const auto low = static_cast<std::uint16_t>(token);
  return low == 0 ? std::uint16_t{1} : low;
}

}  // namespace volley::probe

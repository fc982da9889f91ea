// Which source ports a run uses: how many, and where the block lies.
//
// Pure; any thread. A block is 2^bits ports whose base is a multiple of its
// size: then the source ports run through all values of their low bits, which
// is what the search for linear hashes needs.
#pragma once

#include <cstdint>
#include <optional>

namespace volley::probe {

inline constexpr std::uint32_t kMinPortCount = 256;
inline constexpr std::uint32_t kMaxPortCount = 32768;

struct PortBlock {
  std::uint16_t base = 0;
  std::uint8_t bits = 0;

  std::uint32_t size() const { return 1U << bits; }
  friend bool operator==(const PortBlock&, const PortBlock&) = default;
};

// Ports wanted for one destination that gets `probes` probes (0: no limit) at
// `rate_pps` (0: as fast as the machine goes): the power of two at or above
// max(256, min(probes / 16, 8192), 1.75 s x rate), at most 32768.
std::uint32_t wanted_port_count(std::uint64_t probes, double rate_pps);

// The smallest power of two that is at least `count`. REQUIRES: 1 <= count <= 65536.
std::uint32_t power_of_two_at_least(std::uint32_t count);

// The largest aligned block within [first, last] of at most `wanted` ports (a
// power of two); where several fit, `seed` chooses. REQUIRES: first <= last.
PortBlock choose_block(std::uint16_t first, std::uint16_t last, std::uint32_t wanted, std::uint64_t seed);

// The smallest aligned block that holds both ports. REQUIRES: lowest <= highest.
PortBlock covering_block(std::uint16_t lowest, std::uint16_t highest);

}  // namespace volley::probe

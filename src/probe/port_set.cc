// Sizes and places the block of source ports. Pure; any thread.
#include "volley/probe/port_set.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "volley/probe/generator.h"

namespace volley::probe {

namespace {

// Seconds of a destination's schedule that the set must last: the rest of a
// port (port_rest.h) and 0.5 s of choice beyond it.
constexpr double kScheduleSeconds = 1.75;
constexpr std::uint64_t kProbesAPort = 16;
constexpr std::uint64_t kMaxPortsByCount = 8192;

}  // namespace

std::uint32_t power_of_two_at_least(std::uint32_t count) {
  return std::bit_ceil(count);
}

std::uint32_t wanted_port_count(std::uint64_t probes, double rate_pps) {
  if (rate_pps <= 0.0) {
    return kMaxPortCount;
  }
  const std::uint64_t by_count = probes == 0 ? kMaxPortsByCount : std::min(probes / kProbesAPort, kMaxPortsByCount);
  const double by_rate = std::min(std::ceil(kScheduleSeconds * rate_pps), static_cast<double>(kMaxPortCount));
  const std::uint64_t wanted = std::max({std::uint64_t{kMinPortCount}, by_count, static_cast<std::uint64_t>(by_rate)});
  return std::min(power_of_two_at_least(static_cast<std::uint32_t>(wanted)), kMaxPortCount);
}

PortBlock choose_block(std::uint16_t first, std::uint16_t last, std::uint32_t wanted, std::uint64_t seed) {
  for (std::uint32_t size = wanted; size > 1; size /= 2) {
    const std::uint32_t lowest = (first + size - 1) / size * size;
    if (lowest + size - 1 > last) {
      continue;
    }
    const std::uint32_t choices = (last + 1U - lowest) / size;
    const std::uint32_t base = lowest + Generator(seed).below(choices) * size;
    return {static_cast<std::uint16_t>(base), static_cast<std::uint8_t>(std::countr_zero(size))};
  }
  return {static_cast<std::uint16_t>(first + Generator(seed).below(last - first + 1U)), 0};
}

PortBlock covering_block(std::uint16_t lowest, std::uint16_t highest) {
  const auto bits = static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint32_t>(lowest ^ highest)));
  return {static_cast<std::uint16_t>((lowest >> bits) << bits), bits};
}

}  // namespace volley::probe

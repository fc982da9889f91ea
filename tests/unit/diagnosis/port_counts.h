// Probes and hits by source port, as a target with some hash and a bad part
// makes them: input for the tests of the blind search. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "simulated_run.h"

namespace volley::diagnosis::test {

struct PortCounts {
  std::vector<std::uint32_t> probes;
  std::vector<std::uint32_t> hits;
};

// Spreads `probes` evenly over 2^bits ports (the remainder at random), each hit
// with the probability that `rate` gives for its offset.
template <typename Rate>
PortCounts draw_counts(unsigned bits, std::uint64_t probes, std::mt19937_64& random, Rate rate) {
  const std::size_t ports = std::size_t{1} << bits;
  PortCounts counts{std::vector<std::uint32_t>(ports, static_cast<std::uint32_t>(probes / ports)),
                    std::vector<std::uint32_t>(ports, 0)};
  std::vector<std::size_t> order(ports);
  for (std::size_t i = 0; i < ports; ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i = 0; i < probes % ports; ++i) ++counts.probes[order[i]];
  for (std::size_t i = 0; i < ports; ++i) {
    if (counts.probes[i] == 0) continue;
    std::binomial_distribution<std::uint32_t> drawn(counts.probes[i], rate(static_cast<std::uint32_t>(i)));
    counts.hits[i] = drawn(random);
  }
  return counts;
}

// The queue of each offset of the block at `base`, under random Toeplitz key number `key`.
inline std::vector<std::uint16_t> toeplitz_queues(std::uint64_t key, unsigned bits, std::size_t queues,
                                                  std::size_t entries, rss::TableFill fill = rss::TableFill::modulo) {
  const auto queue_of = queues_of(random_rss(key, queues, entries, fill));
  std::vector<std::uint16_t> list(std::size_t{1} << bits);
  const std::uint32_t base = bits > 15 ? 0 : 32768;
  for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = queue_of(static_cast<std::uint16_t>(base + i));
  return list;
}

}  // namespace volley::diagnosis::test

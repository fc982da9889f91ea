// Bars and sparklines: small pictures in one line of text.
//
// Pure; any thread. Each has an ASCII form with the same meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "volley/report/text.h"
#include "volley/stats/run_result.h"

namespace volley::report {

// A bar of at most `width` cells for value / largest; at least one cell for
// anything above zero, none for zero.
std::string bar(double value, double largest, std::size_t width, Charset charset);

// One character per count, its height relative to the largest; only zero is blank.
std::string sparkline(std::span<const std::uint64_t> counts, Charset charset);

// Spreads the counts of `shape` over `bins` bins that are equally wide in log(RTT)
// between low_ns and high_ns, so that shapes with different ends can be compared.
// The sum of the counts stays the same. Requires 0 < low_ns < high_ns.
std::vector<std::uint64_t> rebinned(const stats::RttShape& shape, std::int64_t low_ns, std::int64_t high_ns,
                                    std::size_t bins);

}  // namespace volley::report

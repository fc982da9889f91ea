// Ports as the unit of chance: each source port marked or not, by how often it hit.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace volley::diagnosis {

// 1 for ports with at least t hits, else 0; t is the smallest that marks at
// most 60 % of the ports, so that marks still tell ports apart where all of
// them hit now and then.
std::vector<std::uint8_t> mark_ports(std::span<const std::uint64_t> hits);

}  // namespace volley::diagnosis

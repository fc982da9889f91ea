// Where the data don't reach: how many more probes a finding would take, and
// what a run without a finding would have found.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

// Losses that a search without known RSS needs (STATISTICS section 1).
inline constexpr std::uint64_t kLossesNeeded = 25;

// Further probes at the same loss until there are enough losses, or as many
// again where there are.
std::uint64_t further_probes(std::uint64_t probes, std::uint64_t losses);

// For a destination that lost something, and about whose loss nothing else could be said.
std::optional<Finding> find_shortage(const Subject& subject);

// "at this length a queue (1 of 8) losing 0.41 % or more would have shown";
// empty where that can't be said: something was lost, or too little was sent.
std::string would_have_shown(const probe::ProbePlan& plan, const stats::DestinationResult& destination);

}  // namespace volley::diagnosis

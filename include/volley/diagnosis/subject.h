// What a check is given: one destination of a finished run, with its plan.
//
// References that must outlive the subject; any thread may read.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "volley/diagnosis/finding.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"
#include "volley/wire/flow.h"

namespace volley::diagnosis {

struct Subject {
  const probe::ProbePlan& plan;
  const stats::RunResult& result;
  std::uint32_t index = 0;  // of the destination

  const stats::DestinationResult& destination() const { return result.destinations[index]; }
  // Each destination is a look of its own: what its findings pay for that.
  double log_price() const { return std::log(static_cast<double>(result.destinations.size())); }
};

// The host as the user wrote it, else its address.
std::string host_text(const Subject& subject);

// "10.0.3.7 on tcp/6379", "web7 (10.0.3.7) on tcp/443".
std::string destination_text(const Subject& subject);

// "sudo volley probe OPTIONS TARGET" with the protocol and a rate that isn't the default.
std::string probe_command(const Subject& subject, const std::string& options);

// The flow of its probes, without the source port.
wire::Flow flow_of(const Subject& subject);

// A finding about this destination, to be filled in.
Finding make_finding(const Subject& subject, FindingKind kind, Severity severity);

// Ports of `candidates` with the most losses, at most `count`, ascending.
std::vector<std::uint16_t> worst_ports(std::vector<stats::PortResult> candidates, std::size_t count);

// Ports of `candidates` that were probed and lost nothing, at most `count`, spread over them, ascending.
std::vector<std::uint16_t> sound_ports(const std::vector<stats::PortResult>& candidates, std::size_t count);

}  // namespace volley::diagnosis

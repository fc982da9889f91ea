// Makes a plan out of a request: fills in what was left open, chooses the
// source ports. Pure; any thread.
#include "volley/probe/plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "volley/probe/packet_size.h"
#include "volley/probe/plan_check.h"
#include "volley/probe/plan_text.h"
#include "volley/probe/plan_warnings.h"
#include "volley/probe/port_rest.h"
#include "volley/probe/port_set.h"
#include "volley/rss/flow_hasher.h"

namespace volley::probe {

namespace {

wire::Flow flow_to(Protocol protocol, const Destination& to, std::uint16_t source_port) {
  wire::Flow flow{to.source, to.address, source_port, to.port, wire::IpProtocol::tcp};
  switch (protocol) {
    case Protocol::tcp:
      break;
    case Protocol::udp:
      flow.protocol = wire::IpProtocol::udp;
      break;
    case Protocol::icmp:
      flow.protocol = to.address.is_v6() ? wire::IpProtocol::icmpv6 : wire::IpProtocol::icmp;
      break;
  }
  return flow;
}

// An address and port that was named twice is one result.
void take_destinations(const PlanRequest& request, ProbePlan& plan) {
  std::map<std::tuple<wire::IpAddress, wire::IpAddress, std::uint16_t, std::uint32_t>, bool> seen;
  for (const Destination& to : request.destinations) {
    if (seen.emplace(std::tuple(to.address, to.source, to.port, to.scope_id), true).second) {
      plan.destinations.push_back(to);
    }
  }
  const std::size_t repeats = request.destinations.size() - plan.destinations.size();
  if (repeats != 0) {
    plan.warnings.push_back(count_text(repeats, "target") +
                            " named more than once: each address and port is probed as one");
  }
}

ProbePlan take_settings(const PlanRequest& request) {
  ProbePlan plan;
  plan.protocol = request.protocol;
  take_destinations(request, plan);
  plan.rate_pps = requested_rate_pps(request);
  plan.count = request.count.value_or(0);
  plan.duration = request.duration.value_or(request.count ? std::chrono::nanoseconds(0) : kDefaultDuration);
  plan.timeout = request.timeout;
  plan.seed = request.seed;
  plan.id_nonce = request.id_nonce;
  plan.ttl = request.ttl;
  plan.dscp = request.dscp;
  plan.tcp_flags = request.tcp_flags;
  plan.payload_bytes = static_cast<std::uint16_t>(payload_bytes(request));
  plan.dont_fragment = request.dont_fragment;
  plan.udp_payload = request.udp_payload;
  plan.custom_payload = request.custom_payload;
  plan.rss = request.rss;
  plan.rss_source = request.rss_source;
  plan.only_queue = request.only_queue;
  return plan;
}

// The ports as the range or the list gives them, held ones included; sets the block.
std::vector<std::uint16_t> candidate_ports(const PlanRequest& request, ProbePlan& plan) {
  std::vector<std::uint16_t> ports = request.listed_source_ports;
  if (!ports.empty()) {
    std::sort(ports.begin(), ports.end());
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    const PortBlock block = covering_block(ports.front(), ports.back());
    plan.port_base = block.base;
    plan.port_bits = block.bits;
    return ports;
  }
  const std::uint64_t probes = planned_probes(plan) / plan.destinations.size();
  std::uint32_t wanted = wanted_port_count(probes, destination_rate_pps(plan));
  if (plan.only_queue) {
    // Only one port in so many reaches the queue.
    const auto queues = static_cast<std::uint32_t>(plan.rss->queue_count());
    wanted = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(std::uint64_t{wanted} * power_of_two_at_least(queues), kMaxPortCount));
  }
  if (request.source_port_count != 0) {
    wanted = power_of_two_at_least(request.source_port_count);
  }
  const PortBlock block = choose_block(request.first_source_port, request.last_source_port, wanted, request.seed);
  plan.port_base = block.base;
  plan.port_bits = block.bits;
  std::uint32_t count = block.size();
  if (request.source_port_count != 0) {
    count = std::min(count, request.source_port_count);
    if (count < request.source_port_count) {
      plan.warnings.push_back("--source-port-count " + std::to_string(request.source_port_count) + ": only " +
                              std::to_string(count) + " used, the largest aligned block in the range");
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    ports.push_back(static_cast<std::uint16_t>(block.base + i));
  }
  return ports;
}

// Leaves out what local sockets hold, and ports that a target on this host
// would take for its own.
void leave_out_held(const PlanRequest& request, ProbePlan& plan, std::vector<std::uint16_t>& ports) {
  std::vector<std::uint16_t> held = request.held_ports;
  for (const Destination& to : plan.destinations) {
    if (to.address == to.source) {
      held.push_back(to.port);
    }
  }
  std::sort(held.begin(), held.end());
  const auto is_held = [&](std::uint16_t port) { return std::binary_search(held.begin(), held.end(), port); };
  std::copy_if(ports.begin(), ports.end(), std::back_inserter(plan.skipped_ports), is_held);
  std::erase_if(ports, is_held);
}

// With --queue: the ports that reach it at one destination or more.
void keep_queue(const ProbePlan& plan, std::vector<std::uint16_t>& ports) {
  std::vector<bool> reaches(65536);
  for (const Destination& to : plan.destinations) {
    const rss::FlowHasher hasher(*plan.rss, flow_to(plan.protocol, to, 0));
    for (const std::uint16_t port : ports) {
      if (hasher.queue(port) == *plan.only_queue) {
        reaches[port] = true;
      }
    }
  }
  std::erase_if(ports, [&](std::uint16_t port) { return !reaches[port]; });
}

// Every destination needs a port that reaches the queue.
void check_queue_reached(const ProbePlan& plan, PlanErrors& errors) {
  for (const Destination& to : plan.destinations) {
    const rss::FlowHasher hasher(*plan.rss, flow_to(plan.protocol, to, 0));
    const auto& ports = plan.source_ports;
    if (std::none_of(ports.begin(), ports.end(),
                     [&](std::uint16_t port) { return hasher.queue(port) == *plan.only_queue; })) {
      errors.push_back("--queue " + std::to_string(*plan.only_queue) + ": no source port of the set reaches it at " +
                       destination_text(to));
    }
  }
}

PlanErrors choose_ports(const PlanRequest& request, ProbePlan& plan) {
  PlanErrors errors;
  std::vector<std::uint16_t> ports = candidate_ports(request, plan);
  const std::size_t candidates = ports.size();
  leave_out_held(request, plan, ports);
  if (ports.empty()) {
    errors.push_back("local sockets hold " +
                     (candidates == 1 ? std::string("the only source port")
                                      : "all " + std::to_string(candidates) + " source ports") +
                     ": choose others with --source-ports");
    return errors;
  }
  if (plan.only_queue) {
    keep_queue(plan, ports);
  }
  plan.source_ports = std::move(ports);
  if (plan.only_queue) {
    check_queue_reached(plan, errors);
  }
  return errors;
}

}  // namespace

std::variant<ProbePlan, PlanErrors> make_plan(const PlanRequest& request) {
  PlanErrors errors = find_conflicts(request);
  if (!errors.empty()) {
    return errors;
  }
  ProbePlan plan = take_settings(request);
  if (plan.protocol != Protocol::icmp) {
    errors = choose_ports(request, plan);
    if (!errors.empty()) {
      return errors;
    }
  }
  for (std::string& warning : find_warnings(plan)) {
    plan.warnings.push_back(std::move(warning));
  }
  return plan;
}

std::uint64_t planned_probes(const ProbePlan& plan) {
  const std::uint64_t by_count = plan.count * plan.destinations.size();
  if (plan.rate_pps == 0.0 || plan.duration.count() == 0) {
    return by_count;
  }
  // Probe n is due at n / rate, to the nearest nanosecond, and must be due before
  // the duration is over (pacer.cc rounds alike).
  const long double probes = std::ceil((static_cast<long double>(plan.duration.count()) - 0.5L) * plan.rate_pps / 1e9L);
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t by_duration =
      probes >= static_cast<long double>(kMost) ? kMost : static_cast<std::uint64_t>(probes);
  return plan.count == 0 ? by_duration : std::min(by_count, by_duration);
}

rss::QueueId remote_queue(const ProbePlan& plan, const Destination& destination, std::uint16_t source_port) {
  return rss::queue_of(*plan.rss, flow_to(plan.protocol, destination, source_port));
}

}  // namespace volley::probe

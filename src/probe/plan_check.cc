// Conflicts of a request, one group a function. Pure; any thread.
#include "volley/probe/plan_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "volley/probe/flight_table.h"
#include "volley/probe/packet_size.h"
#include "volley/probe/plan_text.h"
#include "volley/wire/packet.h"

namespace volley::probe {

namespace {

using Errors = std::vector<std::string>;

// Towards a public address more than this needs --force (DESIGN section 2).
constexpr double kMaxPublicRatePps = 1000.0;
// A probe a day; and one a nanosecond, the unit of the schedule.
constexpr double kMinRatePps = 1.0 / 86400.0;
constexpr double kMaxRatePps = 1e9;
constexpr std::uint8_t kMaxDscp = 63;  // six bits, RFC 2474

bool has_default_range(const PlanRequest& request) {
  const PlanRequest defaults;
  return request.first_source_port == defaults.first_source_port &&
         request.last_source_port == defaults.last_source_port;
}

void check_destination(const PlanRequest& request, const Destination& to, Errors& errors) {
  const std::string address = wire::to_string(to.address);
  if (wire::is_unspecified(to.address)) {
    errors.push_back(address + " is the unspecified address: it names no host");
  } else if (wire::is_multicast(to.address)) {
    errors.push_back(address + " is a multicast address: a probe goes to one host");
  } else if (wire::is_limited_broadcast(to.address)) {
    errors.push_back(address + " is the broadcast address: a probe goes to one host");
  }
  if (request.protocol == Protocol::icmp && to.port != 0) {
    errors.push_back("ICMP has no ports: " + destination_text(to) + " names port " + std::to_string(to.port));
  }
  if (request.protocol != Protocol::icmp && to.port == 0) {
    errors.push_back(address + ": port 0 can't be probed");
  }
  if (to.source.family != to.address.family) {
    errors.push_back("the source address " + wire::to_string(to.source) + " can't reach " + address +
                     ": one is IPv4, the other IPv6");
  }
}

void check_size(const PlanRequest& request, const Destination& to, Errors& errors) {
  const std::size_t bytes =
      header_bytes(request.protocol, to.address.family, request.tcp_flags) + payload_bytes(request);
  if (bytes > kMaxPacketBytes) {
    errors.push_back("a packet of " + std::to_string(bytes) + " bytes to " + wire::to_string(to.address) +
                     ": IP packets have at most " + std::to_string(kMaxPacketBytes));
  } else if (to.mtu_bytes != 0 && bytes > to.mtu_bytes) {
    const std::string_view why =
        request.dont_fragment ? ", and --df forbids fragments" : ", and probes are not fragmented";
    errors.push_back("a packet of " + std::to_string(bytes) + " bytes to " + wire::to_string(to.address) +
                     ": the MTU of " + (to.interface_name.empty() ? "the way" : to.interface_name) + " is " +
                     std::to_string(to.mtu_bytes) + std::string(why));
  }
}

void check_destinations(const PlanRequest& request, Errors& errors) {
  if (request.destinations.empty()) {
    errors.emplace_back("no target");
  }
  std::set<std::pair<bool, std::string>> told;  // one sentence about a size for each family and interface
  for (const Destination& to : request.destinations) {
    check_destination(request, to, errors);
    if (told.emplace(to.address.is_v6(), to.interface_name).second) {
      check_size(request, to, errors);
    }
  }
}

void check_source_ports(const PlanRequest& request, Errors& errors) {
  const auto& listed = request.listed_source_ports;
  if (request.protocol == Protocol::icmp) {
    if (!listed.empty() || !has_default_range(request) || request.source_port_count != 0) {
      errors.emplace_back("ICMP has no ports: --source-ports and --source-port-count don't go with it");
    }
    return;
  }
  if (!listed.empty()) {
    if (request.source_port_count != 0) {
      errors.emplace_back("--source-port-count chooses from a range: it doesn't go with a list of source ports");
    }
    if (std::find(listed.begin(), listed.end(), 0) != listed.end()) {
      errors.emplace_back("source port 0 can't be used");
    }
    return;
  }
  if (request.first_source_port == 0) {
    errors.emplace_back("source port 0 can't be used");
  }
  if (request.first_source_port > request.last_source_port) {
    errors.push_back("--source-ports " + std::to_string(request.first_source_port) + "-" +
                     std::to_string(request.last_source_port) + ": the range ends before it begins");
  } else if (request.source_port_count > request.last_source_port - request.first_source_port + 1U) {
    errors.push_back("--source-port-count " + std::to_string(request.source_port_count) + ": the range " +
                     std::to_string(request.first_source_port) + "-" + std::to_string(request.last_source_port) +
                     " has only " + std::to_string(request.last_source_port - request.first_source_port + 1));
  }
}

void check_public_rate(const PlanRequest& request, double rate_pps, Errors& errors) {
  if (request.allow_public_rate) {
    return;
  }
  std::map<wire::IpAddress, std::size_t> results;  // one address may have several ports
  for (const Destination& to : request.destinations) {
    if (wire::is_public(to.address) && !wire::is_unspecified(to.address) && !wire::is_multicast(to.address) &&
        !wire::is_limited_broadcast(to.address)) {
      ++results[to.address];
    }
  }
  for (const auto& [address, count] : results) {
    const double share = rate_pps * static_cast<double>(count) / static_cast<double>(request.destinations.size());
    if (rate_pps == 0.0 || share > kMaxPublicRatePps) {
      errors.push_back((rate_pps == 0.0 ? std::string("an unlimited rate") : rate_text(share)) +
                       " towards the public address " + wire::to_string(address) + ": more than " +
                       rate_text(kMaxPublicRatePps) + " needs --force");
    }
  }
}

void check_schedule(const PlanRequest& request, Errors& errors) {
  const bool has_rate = request.rate_pps.has_value() || request.rate_is_max;
  if (has_rate && request.interval) {
    errors.emplace_back("--rate and --interval say the same thing: give one of them");
  }
  bool is_sound = true;
  if (request.rate_pps && !request.rate_is_max && !(std::isfinite(*request.rate_pps) && *request.rate_pps > 0.0)) {
    errors.emplace_back("--rate must be above 0");
    is_sound = false;
  }
  if (request.interval && request.interval->count() <= 0) {
    errors.emplace_back("--interval must be above 0");
    is_sound = false;
  }
  if (request.count && *request.count == 0) {
    errors.emplace_back("--count must be at least 1");
  }
  if (request.duration && request.duration->count() < 0) {
    errors.emplace_back("--duration must not be negative");
  }
  if (request.timeout.count() <= 0) {
    errors.emplace_back("--timeout must be above 0");
    is_sound = false;
  }
  if (!is_sound) {
    return;
  }
  const double rate_pps = requested_rate_pps(request);
  if (rate_pps != 0.0 && (rate_pps < kMinRatePps || rate_pps > kMaxRatePps)) {
    errors.push_back("a rate of " +
                     (rate_pps > kMaxRatePps ? rate_text(rate_pps) : std::string("less than a probe a day")) +
                     ": it must be between a probe a day and " + rate_text(kMaxRatePps));
    return;
  }
  const double waiting = rate_pps * std::chrono::duration<double>(request.timeout).count();
  if (waiting > static_cast<double>(kMaxFlightCapacity)) {
    errors.push_back(rate_text(rate_pps) + " with a timeout of " + duration_text(request.timeout) + " has " +
                     plain_number(std::ceil(waiting)) + " probes in flight: at most " +
                     std::to_string(kMaxFlightCapacity) + " can be");
  }
  check_public_rate(request, rate_pps, errors);
}

void check_header_fields(const PlanRequest& request, Errors& errors) {
  if (request.ttl == 0) {
    errors.emplace_back("--ttl must be at least 1");
  }
  if (request.dscp > kMaxDscp) {
    errors.push_back("--dscp " + std::to_string(request.dscp) + ": it has 6 bits, 0 to " + std::to_string(kMaxDscp));
  }
  if (request.protocol != Protocol::tcp && request.tcp_flags != wire::tcp_flag::kSyn) {
    errors.push_back("--tcp-flags doesn't go with " + std::string(protocol_name(request.protocol)));
  }
  if (request.protocol == Protocol::tcp && (request.tcp_flags & wire::tcp_flag::kRst) != 0) {
    errors.emplace_back("--tcp-flags: a reset is never answered, so it measures nothing");
  }
}

void check_payload(const PlanRequest& request, Errors& errors) {
  const UdpPayload kind = request.udp_payload;
  if (request.protocol != Protocol::udp) {
    if (kind != UdpPayload::sized) {
      errors.push_back("--udp-payload doesn't go with " + std::string(protocol_name(request.protocol)));
    }
    return;
  }
  const bool is_fixed = kind == UdpPayload::dns || kind == UdpPayload::ntp || kind == UdpPayload::custom;
  if (is_fixed && request.payload_bytes_given) {
    errors.emplace_back("--size doesn't go with this --udp-payload: it has a length of its own");
  }
  if (kind == UdpPayload::echo && request.payload_bytes_given && request.payload_bytes < kProbeIdBytes) {
    errors.push_back("--size " + std::to_string(request.payload_bytes) + " with --udp-payload echo: at least " +
                     std::to_string(kProbeIdBytes) + " bytes carry the probe id");
  }
}

void check_queue(const PlanRequest& request, Errors& errors) {
  if (request.rss) {
    const std::string why = rss::why_unusable(*request.rss);
    if (!why.empty()) {
      errors.push_back("--rss: " + why);
    }
  }
  if (!request.only_queue) {
    return;
  }
  const std::string option = "--queue " + std::to_string(*request.only_queue);
  if (!request.rss) {
    errors.push_back(option + " needs to know the target's RSS: --rss or --rss-key");
    return;
  }
  const auto& table = request.rss->table;
  const std::size_t queues = request.rss->queue_count();
  if (*request.only_queue >= queues) {
    errors.push_back(option + ": this RSS table has queues 0 to " + std::to_string(queues == 0 ? 0 : queues - 1));
  } else if (std::find(table.begin(), table.end(), *request.only_queue) == table.end()) {
    errors.push_back(option + ": no entry of this RSS table leads to it");
  } else if (request.protocol == Protocol::icmp) {
    errors.push_back(option + ": ICMP is hashed on addresses alone, so no choice of ports reaches another queue");
  }
}

}  // namespace

double requested_rate_pps(const PlanRequest& request) {
  if (request.rate_is_max) {
    return 0.0;
  }
  if (request.interval) {
    return 1e9 / static_cast<double>(request.interval->count());
  }
  return request.rate_pps.value_or(kDefaultRatePps);
}

std::vector<std::string> find_conflicts(const PlanRequest& request) {
  Errors errors;
  check_destinations(request, errors);
  check_source_ports(request, errors);
  check_schedule(request, errors);
  check_header_fields(request, errors);
  check_payload(request, errors);
  check_queue(request, errors);
  return errors;
}

}  // namespace volley::probe

// Warnings of a plan. Pure; any thread.
#include "volley/probe/plan_warnings.h"

#include <algorithm>
#include <cmath>

#include "volley/probe/plan_text.h"
#include "volley/probe/port_rest.h"
#include "volley/rss/flow_hasher.h"
#include "volley/wire/packet.h"

namespace volley::probe {

namespace {

using Warnings = std::vector<std::string>;

// More queues than this are counted, not listed.
constexpr std::size_t kMostQueuesNamed = 8;

bool asks_for_connections(const ProbePlan& plan) {
  return plan.protocol == Protocol::tcp && (plan.tcp_flags & wire::tcp_flag::kSyn) != 0;
}

// How soon a port may come again at the same destination.
void warn_of_short_rounds(const ProbePlan& plan, std::size_t ports, Warnings& warnings) {
  const std::string with = "with " + count_text(ports, "source port");
  if (plan.rate_pps == 0.0) {
    if (asks_for_connections(plan)) {
      warnings.push_back(
          with +
          " at an unlimited rate a port can come again before the target's half-open entry of its last probe is gone");
    }
    return;
  }
  const double rate = destination_rate_pps(plan);
  const std::uint64_t probes = planned_probes(plan);
  if (probes != 0 && probes / plan.destinations.size() <= 1) {
    return;  // no port comes twice
  }
  const double rest = (rest_draws(rate, static_cast<std::uint32_t>(ports)) + 1.0) / rate;
  const double timeout = std::chrono::duration<double>(plan.timeout).count();
  const std::string text = with + " at " + rate_text(rate) + " a port can come again after " +
                           duration_text(std::chrono::nanoseconds(std::llround(rest * 1e9)));
  if (rest < timeout) {
    warnings.push_back(text + ", sooner than the timeout of " + duration_text(plan.timeout));
  }
  if (asks_for_connections(plan) && rest < kPortRestSeconds) {
    warnings.push_back(text + ", sooner than the " + plain_number(kPortRestSeconds) +
                       " s that a half-open entry at the target can live");
  }
}

std::string queue_list(const std::vector<rss::QueueId>& queues) {
  if (queues.size() > kMostQueuesNamed) {
    return std::to_string(queues.size()) + " queues";
  }
  std::string text = queues.size() == 1 ? "queue" : "queues";
  for (std::size_t i = 0; i < queues.size(); ++i) {
    text += (i == 0 ? " " : ", ") + std::to_string(queues[i]);
  }
  return text;
}

wire::IpProtocol ip_protocol(const ProbePlan& plan, const Destination& destination) {
  switch (plan.protocol) {
    case Protocol::tcp:
      return wire::IpProtocol::tcp;
    case Protocol::udp:
      return wire::IpProtocol::udp;
    case Protocol::icmp:
      break;
  }
  return destination.address.is_v6() ? wire::IpProtocol::icmpv6 : wire::IpProtocol::icmp;
}

// Queues that the table leads to, but no source port of the set.
std::vector<rss::QueueId> unreached_queues(const ProbePlan& plan, const Destination& to) {
  std::vector<bool> is_missing(plan.rss->queue_count());
  for (const rss::QueueId queue : plan.rss->table) {
    is_missing[queue] = true;
  }
  const rss::FlowHasher hasher(*plan.rss, {to.source, to.address, 0, to.port, ip_protocol(plan, to)});
  for (const std::uint16_t port : plan.source_ports) {
    is_missing[hasher.queue(port)] = false;
  }
  std::vector<rss::QueueId> missing;
  for (std::size_t queue = 0; queue < is_missing.size(); ++queue) {
    if (is_missing[queue]) {
      missing.push_back(static_cast<rss::QueueId>(queue));
    }
  }
  return missing;
}

void warn_of_queues(const ProbePlan& plan, const Destination& to, Warnings& warnings) {
  const rss::HashFields fields = rss::hash_fields(*plan.rss, ip_protocol(plan, to), to.address.family);
  if (fields != rss::HashFields::addresses_and_ports) {
    if (plan.protocol != Protocol::icmp) {
      warnings.push_back(destination_text(to) + ": this RSS leaves the ports of " +
                         std::string(protocol_name(plan.protocol)) + " out of the hash, so every probe reaches queue " +
                         std::to_string(remote_queue(plan, to, plan.source_ports.front())));
    }
    return;
  }
  const std::vector<rss::QueueId> missing = unreached_queues(plan, to);
  if (!missing.empty() && !plan.only_queue) {
    warnings.push_back(destination_text(to) + ": no source port of the set reaches " + queue_list(missing));
  }
}

}  // namespace

std::vector<std::string> find_warnings(const ProbePlan& plan) {
  Warnings warnings;
  if (plan.protocol == Protocol::icmp) {
    std::string text = "ICMP is hashed on addresses alone: every probe reaches the same receive queue of its target";
    if (plan.rss && plan.destinations.size() == 1) {
      text += ", here queue " + std::to_string(remote_queue(plan, plan.destinations.front(), 0));
    }
    warnings.push_back(text);
    return warnings;
  }
  warn_of_short_rounds(plan, plan.source_ports.size(), warnings);
  if (plan.rss) {
    for (const Destination& to : plan.destinations) {
      warn_of_queues(plan, to, warnings);
    }
  }
  return warnings;
}

}  // namespace volley::probe

// One destination's results as JSON; see the header.
#include "volley/report/json_result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volley/report/number.h"
#include "volley/report/words.h"
#include "volley/wire/icmp_names.h"

namespace volley::report {
namespace {

using nlohmann::ordered_json;

ordered_json when(bool is_known, std::int64_t value) {
  return is_known ? ordered_json(value) : ordered_json();
}

ordered_json rtt_json(const stats::RttSummary& rtt) {
  const bool is_known = rtt.count > 0;
  ordered_json json;
  json["count"] = rtt.count;
  json["min"] = when(is_known, rtt.min_ns);
  json["mean"] = when(is_known, rtt.mean_ns);
  json["stddev"] = when(is_known, rtt.stddev_ns);
  json["p50"] = when(is_known, rtt.p50_ns);
  json["p90"] = when(is_known, rtt.p90_ns);
  json["p99"] = when(is_known, rtt.p99_ns);
  json["p999"] = when(is_known, rtt.p999_ns);
  json["max"] = when(is_known, rtt.max_ns);
  return json;
}

// Loss is a ratio of the probes whose end is known: null as long as there is none.
void add_loss(ordered_json& json, std::uint64_t answered, std::uint64_t lost, const stats::Ratio& loss) {
  const bool is_known = answered + lost > 0;
  json["loss_ratio"] = is_known ? ordered_json(rounded_ratio(loss.value)) : ordered_json();
  json["loss_ci95"] =
      is_known ? ordered_json::array({rounded_ratio(loss.low), rounded_ratio(loss.high)}) : ordered_json();
}

ordered_json replies_json(const stats::ReplyCounts& replies) {
  ordered_json json;
  json["syn_ack"] = replies.syn_ack;
  json["rst"] = replies.rst;
  json["echo_reply"] = replies.echo_reply;
  json["udp_reply"] = replies.udp_reply;
  json["port_unreachable"] = replies.port_unreachable;
  json["syn_ack_resent"] = replies.syn_ack_resent;
  ordered_json unreachable = ordered_json::array();
  for (const stats::UnreachableCount& error : replies.unreachable) {
    unreachable.push_back({{"code", wire::icmp_name(error.what.from.family, error.what.type, error.what.code)},
                           {"from", wire::to_string(error.what.from)},
                           {"count", error.count},
                           {"icmp_type", error.what.type},
                           {"icmp_code", error.what.code}});
  }
  json["unreachable"] = std::move(unreachable);
  json["unreachable_unlisted"] = replies.unreachable_unlisted;
  json["other_tcp"] = replies.other_tcp;
  json["reset_resent"] = replies.reset_resent;
  return json;
}

ordered_json port_json(const Document& document, std::uint32_t index, const stats::PortResult& port) {
  const probe::ProbePlan& plan = document.plan;
  const bool is_known = port.rtt_count > 0;
  ordered_json rtt;
  rtt["count"] = port.rtt_count;
  rtt["min"] = when(is_known, port.rtt_min_ns);
  rtt["mean"] = when(is_known, port.rtt_mean_ns);
  rtt["max"] = when(is_known, port.rtt_max_ns);
  ordered_json json;
  json["port"] = port.port;
  json["sent"] = port.sent;
  json["answered"] = port.answered;
  json["lost"] = port.lost;
  json["slow"] = port.slow;
  json["rtt_ns"] = std::move(rtt);
  json["queue"] = plan.rss && index < plan.destinations.size()
                      ? ordered_json(probe::remote_queue(plan, plan.destinations[index], port.port))
                      : ordered_json();
  return json;
}

ordered_json source_ports_json(const Document& document, std::uint32_t index, const JsonOptions& options) {
  const stats::DestinationResult& destination = document.result.destinations[index];
  ordered_json json;
  json["count"] = destination.source_ports_used;
  json["ports"] = nullptr;
  json["left_out"] = destination.ports_left_out;
  if (options.per_port && !destination.ports.empty()) {
    ordered_json ports = ordered_json::array();
    for (const stats::PortResult& port : destination.ports) {
      ports.push_back(port_json(document, index, port));
    }
    json["ports"] = std::move(ports);
  }
  return json;
}

ordered_json remote_queues_json(const probe::ProbePlan& plan, const stats::DestinationResult& destination) {
  if (destination.remote_queues.empty()) {
    return {};
  }
  ordered_json queues = ordered_json::array();
  for (const stats::QueueResult& queue : destination.remote_queues) {
    ordered_json json;
    json["queue"] = queue.queue;
    json["sent"] = queue.sent;
    json["answered"] = queue.answered;
    json["lost"] = queue.lost;
    add_loss(json, queue.answered, queue.lost, queue.loss);
    json["rtt_ns"] = rtt_json(queue.rtt);
    queues.push_back(std::move(json));
  }
  ordered_json json;
  json["basis"] = rss_basis(plan);
  json["queues"] = std::move(queues);
  return json;
}

ordered_json local_queues_json(const stats::DestinationResult& destination) {
  if (destination.local_queues.empty()) {
    return {};
  }
  ordered_json queues = ordered_json::array();
  for (const stats::QueueResult& queue : destination.local_queues) {
    ordered_json json;
    json["queue"] = queue.queue;
    json["answered"] = queue.answered;
    json["rtt_ns"] = rtt_json(queue.rtt);
    queues.push_back(std::move(json));
  }
  return queues;
}

ordered_json reply_ttl_json(const stats::DestinationResult& destination) {
  const bool is_known = destination.reply_ttl_max > 0;
  ordered_json json;
  json["min"] = when(is_known, destination.reply_ttl_min);
  json["max"] = when(is_known, destination.reply_ttl_max);
  return json;
}

// What the sender used for this destination: runs with several may leave by
// several interfaces.
ordered_json origin_json(const probe::ProbePlan& plan, std::uint32_t index) {
  if (index >= plan.destinations.size()) {
    return {};
  }
  const probe::Destination& destination = plan.destinations[index];
  ordered_json json;
  json["address"] = wire::to_string(destination.source);
  json["interface"] = destination.interface_name.empty() ? ordered_json() : ordered_json(destination.interface_name);
  return json;
}

}  // namespace

ordered_json result_json(const Document& document, std::uint32_t index, const JsonOptions& options) {
  const stats::DestinationResult& destination = document.result.destinations[index];
  const probe::ProbePlan& plan = document.plan;
  ordered_json json;
  json["target"] = destination.target;
  json["address"] = wire::to_string(destination.address);
  json["protocol"] = to_string(plan.protocol);
  json["port"] = when(plan.protocol != probe::Protocol::icmp, destination.port);
  json["sent"] = destination.sent;
  json["answered"] = destination.answered;
  json["lost"] = destination.lost;
  json["late"] = destination.late;
  json["duplicates"] = destination.duplicates;
  json["reordered"] = destination.reordered;
  json["not_sent"] = destination.not_sent;
  json["in_flight"] = destination.in_flight;
  add_loss(json, destination.answered, destination.lost, destination.loss);
  json["replies"] = replies_json(destination.replies);
  json["loss_direction"] = {{"forward", destination.direction.forward},
                            {"reverse", destination.direction.reverse},
                            {"unknown", destination.direction.unknown}};
  json["rtt_ns"] = rtt_json(destination.rtt);
  json["jitter_ns"] = when(destination.rtt.count > 1, destination.jitter_ns);
  json["reply_ttl"] = reply_ttl_json(destination);
  json["stale_half_open"] = destination.stale_half_open;
  json["source_ports"] = source_ports_json(document, index, options);
  json["remote_queues"] = remote_queues_json(plan, destination);
  json["local_queues"] = local_queues_json(destination);
  json["local_queue_unlisted"] = destination.local_queue_unlisted;
  json["rtt_error"] = rounded_ratio(destination.rtt_error);
  json["answered_without_rtt"] = destination.answered_without_rtt;
  json["slow_threshold_ns"] = when(destination.slow_threshold_ns > 0, destination.slow_threshold_ns);
  json["source"] = origin_json(plan, index);
  return json;
}

}  // namespace volley::report

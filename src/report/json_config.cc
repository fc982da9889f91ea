// How the run was made, as JSON; see the header.
#include "volley/report/json_config.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "volley/report/words.h"

namespace volley::report {
namespace {

using nlohmann::ordered_json;

ordered_json number_or_null(std::uint64_t value) {
  return value == 0 ? ordered_json() : ordered_json(value);
}

ordered_json text_or_null(std::string_view text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

// The one value of a set, else null.
ordered_json only_of(const std::set<std::string>& values) {
  return values.size() == 1 ? text_or_null(*values.begin()) : ordered_json();
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

std::set<std::string> source_addresses(const probe::ProbePlan& plan) {
  std::set<std::string> addresses;
  for (const probe::Destination& destination : plan.destinations) {
    addresses.insert(wire::to_string(destination.source));
  }
  return addresses;
}

std::set<std::string> interface_names(const probe::ProbePlan& plan) {
  std::set<std::string> names;
  for (const probe::Destination& destination : plan.destinations) {
    names.insert(destination.interface_name);
  }
  return names;
}

ordered_json ports_json(const probe::ProbePlan& plan) {
  if (plan.protocol == probe::Protocol::icmp) {
    return {};
  }
  std::set<std::uint16_t> ports;
  for (const probe::Destination& destination : plan.destinations) {
    ports.insert(destination.port);
  }
  return std::vector<std::uint16_t>(ports.begin(), ports.end());
}

void add_rss(ordered_json& config, const probe::ProbePlan& plan) {
  config["rss"] = plan.rss ? text_or_null(plan.rss_source) : ordered_json();
  config["rss-key"] = plan.rss && !plan.rss->key.empty() ? ordered_json(hex(plan.rss->key)) : ordered_json();
  config["rss-queues"] = plan.rss ? ordered_json(distinct_queues(*plan.rss)) : ordered_json();
  config["rss-table"] = plan.rss ? ordered_json(plan.rss->table.size()) : ordered_json();
  config["queue"] = plan.only_queue ? ordered_json(*plan.only_queue) : ordered_json();
}

}  // namespace

ordered_json config_json(const probe::ProbePlan& plan) {
  const bool is_tcp = plan.protocol == probe::Protocol::tcp;
  const bool is_udp = plan.protocol == probe::Protocol::udp;
  ordered_json config;
  config["tcp"] = is_tcp;
  config["udp"] = is_udp;
  config["icmp"] = plan.protocol == probe::Protocol::icmp;
  config["tcp-flags"] = is_tcp ? ordered_json(tcp_flags_text(plan.tcp_flags)) : ordered_json();
  config["udp-payload"] = is_udp ? ordered_json(udp_payload_text(plan)) : ordered_json();
  config["size"] = plan.payload_bytes;
  config["port"] = ports_json(plan);
  config["rate"] = plan.rate_pps > 0.0 ? ordered_json(plan.rate_pps) : ordered_json();
  config["count"] = number_or_null(plan.count);
  config["duration_ns"] = plan.duration.count() > 0 ? ordered_json(plan.duration.count()) : ordered_json();
  config["timeout_ns"] = plan.timeout.count();
  config["source-ports"] = text_or_null(port_ranges(plan.source_ports));
  config["source-port-count"] = plan.source_ports.size();
  config["seed"] = plan.seed;
  config["interface"] = only_of(interface_names(plan));
  config["source"] = only_of(source_addresses(plan));
  config["ttl"] = plan.ttl;
  config["dscp"] = plan.dscp;
  config["df"] = plan.dont_fragment;
  add_rss(config, plan);
  return config;
}

ordered_json source_json(const Document& document) {
  ordered_json source;
  source["address"] = only_of(source_addresses(document.plan));
  source["interface"] = only_of(interface_names(document.plan));
  source["link"] = text_or_null(document.link);
  return source;
}

}  // namespace volley::report

// Makes the plan of a probing command (see the header).
#include "volley/app/run_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>
#include <variant>

#include "volley/app/exit_status.h"
#include "volley/app/quantity.h"
#include "volley/app/target_text.h"
#include "volley/net/entropy.h"
#include "volley/net/held_ports.h"
#include "volley/net/interfaces.h"
#include "volley/net/resolver.h"
#include "volley/net/route.h"
#include "volley/rss/config_request.h"

namespace volley::app {
namespace {

constexpr std::uint16_t kDefaultTcpPort = 443;
constexpr std::uint16_t kDefaultUdpPort = 33434;  // traceroute's first
constexpr std::size_t kMaxTargetFileBytes = std::size_t{16} << 20U;

[[noreturn]] void refuse(const std::string& line) {
  throw CommandError(exit_status::kUsage, {line});
}

std::string read_whole(const std::string& path, std::istream& in) {
  std::ifstream file;
  if (path != "-") {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) refuse(fmt::format("--targets {}: it is a directory", path));
    file.open(path, std::ios::binary);
    if (!file) throw CommandError(exit_status::kUsage, {fmt::format("--targets {}: cannot open the file", path)});
  }
  std::istream& stream = path == "-" ? in : file;
  std::string text;
  std::istreambuf_iterator<char> next(stream);
  for (const std::istreambuf_iterator<char> end; next != end; ++next) {
    if (text.size() == kMaxTargetFileBytes) refuse(fmt::format("--targets {}: more than 16 MB of targets", path));
    text.push_back(*next);
  }
  return text;
}

std::vector<TargetText> read_targets(const ProbeOptions& options, std::istream& in) {
  std::vector<TargetText> targets;
  try {
    for (const std::string& text : options.targets) targets.push_back(parse_target(text));
  } catch (const BadQuantity& error) {
    refuse(error.what());
  }
  if (options.targets_file) {
    if (*options.targets_file == "-" && options.rss.source == "-") {
      refuse("--targets - and --rss - both want standard input: name a file for one of them");
    }
    try {
      for (auto& target : parse_target_lines(read_whole(*options.targets_file, in))) {
        targets.push_back(std::move(target));
      }
    } catch (const BadQuantity& error) {
      refuse(fmt::format("--targets {}: {}", *options.targets_file, error.what()));
    }
  }
  if (targets.empty()) refuse("no target: name a host, like volley probe 10.0.3.7:443");
  return targets;
}

std::vector<std::uint16_t> ports_of(const TargetText& target, const ProbeOptions& options) {
  if (options.request.protocol == probe::Protocol::icmp) {
    if (!target.ports.empty() || !options.ports.empty()) {
      refuse(fmt::format("{}: ICMP has no ports: leave the port out", target.host));
    }
    return {0};
  }
  if (!target.ports.empty()) return target.ports;
  if (!options.ports.empty()) return options.ports;
  return {options.request.protocol == probe::Protocol::udp ? kDefaultUdpPort : kDefaultTcpPort};
}

net::FamilyPreference preference(FamilyChoice family) {
  switch (family) {
    case FamilyChoice::any:
      return net::FamilyPreference::any;
    case FamilyChoice::v4:
      return net::FamilyPreference::v4;
    case FamilyChoice::v6:
      return net::FamilyPreference::v6;
  }
  return net::FamilyPreference::any;
}

// What -I and -S say about every route.
struct Origin {
  std::uint32_t interface_index = 0;
  std::optional<wire::IpAddress> source;
};

Origin read_origin(const ProbeOptions& options) {
  Origin origin;
  if (options.interface_name) origin.interface_index = net::find_interface(*options.interface_name).index;
  if (options.source_address) {
    origin.source = wire::parse_address(*options.source_address);
    if (!origin.source) refuse(fmt::format("--source {}: not an IPv4 or IPv6 address", *options.source_address));
  }
  return origin;
}

std::vector<probe::Destination> destinations_of(const TargetText& target, const ProbeOptions& options,
                                                const Origin& origin) {
  // With -S the family is that of the source.
  net::FamilyPreference family = preference(options.family);
  if (origin.source && family == net::FamilyPreference::any) {
    family = origin.source->is_v6() ? net::FamilyPreference::v6 : net::FamilyPreference::v4;
  }
  auto addresses = net::resolve(target.host, family);
  if (!options.all_addresses) addresses.resize(1);
  const auto ports = ports_of(target, options);
  std::vector<probe::Destination> destinations;
  for (const auto& [address, scope_id] : addresses) {
    const net::Route route = net::find_route({.destination = address,
                                              .scope_id = scope_id,
                                              .source = origin.source,
                                              .interface_index = origin.interface_index,
                                              .mark = options.mark,
                                              .traffic_class = static_cast<std::uint8_t>(options.request.dscp << 2U)});
    for (const std::uint16_t port : ports) {
      destinations.push_back({.address = address,
                              .port = port,
                              .source = route.source,
                              .interface_index = route.interface_index,
                              .interface_name = route.interface_name,
                              .scope_id = scope_id,
                              .mtu_bytes = route.mtu_bytes,
                              .name = options.output.numeric ? wire::to_string(address) : target.host});
    }
  }
  return destinations;
}

// The same address and port twice would count each other's replies.
void refuse_repeats(std::vector<probe::Destination>& destinations) {
  std::vector<std::pair<wire::IpAddress, std::uint16_t>> seen;
  for (const auto& destination : destinations) seen.emplace_back(destination.address, destination.port);
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice != seen.end()) {
    refuse(fmt::format("{}{} is named twice", wire::to_string(twice->first),
                       twice->second == 0 ? "" : fmt::format(" port {}", twice->second)));
  }
}

}  // namespace

CommandError::CommandError(int exit_status, std::vector<std::string> lines)
    : std::runtime_error(lines.empty() ? std::string() : lines.front()),
      exit_status_(exit_status),
      lines_(std::move(lines)) {}

std::optional<KnownRss> read_rss(const RssChoice& choice, std::istream& in) {
  rss::ConfigRequest request;
  request.key = choice.key;
  request.queues = choice.queues;
  request.table_size = choice.table_size;
  if (choice.source) {
    if (const auto error = read_rss_source(*choice.source, in, request)) refuse(*error);
  }
  if (rss::is_empty(request)) return std::nullopt;
  auto made = rss::make_config(request);
  if (const auto* error = std::get_if<std::string>(&made)) refuse(*error);
  auto& understood = std::get<rss::EthtoolRss>(made);
  return KnownRss{.config = std::move(understood.config),
                  .source = choice.source.value_or(choice.key.value_or("")),
                  .notes = std::move(understood.notes)};
}

RunSetup set_up_run(const ProbeOptions& options, std::istream& in) {
  const std::vector<TargetText> targets = read_targets(options, in);
  RunSetup setup;
  probe::PlanRequest request = options.request;
  if (auto known = read_rss(options.rss, in)) {
    request.rss = std::move(known->config);
    request.rss_source = std::move(known->source);
    setup.notes = std::move(known->notes);
  }
  const Origin origin = read_origin(options);
  for (const TargetText& target : targets) {
    for (auto& destination : destinations_of(target, options, origin)) {
      request.destinations.push_back(std::move(destination));
    }
  }
  refuse_repeats(request.destinations);
  request.held_ports = net::read_held_ports(request.protocol, request.destinations);
  if (!options.seed_given) request.seed = net::random_seed();
  request.id_nonce = net::random_seed();
  auto made = probe::make_plan(request);
  if (auto* errors = std::get_if<probe::PlanErrors>(&made)) throw CommandError(exit_status::kUsage, std::move(*errors));
  setup.plan = std::move(std::get<probe::ProbePlan>(made));
  return setup;
}

}  // namespace volley::app

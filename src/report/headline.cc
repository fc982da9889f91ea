// The first line of the text report; see the header.
#include "volley/report/headline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "volley/report/words.h"

namespace volley::report {
namespace {

bool is_one_host(const std::vector<stats::DestinationResult>& destinations) {
  return std::all_of(destinations.begin(), destinations.end(), [&](const stats::DestinationResult& destination) {
    return destination.address == destinations.front().address && destination.target == destinations.front().target;
  });
}

std::vector<std::uint16_t> distinct_ports(const std::vector<stats::DestinationResult>& destinations) {
  std::set<std::uint16_t> ports;
  for (const auto& destination : destinations) {
    ports.insert(destination.port);
  }
  return {ports.begin(), ports.end()};
}

// "web7 (10.0.3.7) tcp/443", "web7 (10.0.3.7) tcp/80,443", "50 targets tcp/443".
std::string who(const TextContext& context) {
  const auto& destinations = context.document.result.destinations;
  const probe::Protocol protocol = context.document.plan.protocol;
  if (destinations.empty()) {
    return "no target";
  }
  const std::string host =
      is_one_host(destinations) ? host_text(destinations.front()) : counted(destinations.size(), "target", "targets");
  if (protocol == probe::Protocol::icmp) {
    return host + " icmp echo";
  }
  return fmt::format("{} {}/{}", host, to_string(protocol), port_ranges(distinct_ports(destinations)));
}

// What one probe is: "SYN", "dns", "56 bytes".
std::string what(const probe::ProbePlan& plan) {
  std::string text;
  if (plan.destinations.empty()) {
    return text;
  }
  if (plan.protocol == probe::Protocol::tcp) {
    text = " " + tcp_flags_text(plan.tcp_flags);
  }
  if (plan.protocol == probe::Protocol::udp && plan.udp_payload != probe::UdpPayload::sized) {
    return text + " " + (plan.udp_payload == probe::UdpPayload::custom ? "custom payload" : udp_payload_text(plan));
  }
  if (plan.payload_bytes > 0) {
    text += " " + counted(plan.payload_bytes, "byte", "bytes");
  }
  return text;
}

// "from 10.0.3.9 dev eth0", as far as all destinations agree.
std::string from(const probe::ProbePlan& plan) {
  std::set<std::string> sources;
  std::set<std::string> interfaces;
  for (const probe::Destination& destination : plan.destinations) {
    sources.insert(wire::to_string(destination.source));
    interfaces.insert(destination.interface_name);
  }
  std::string text;
  if (sources.size() == 1) {
    text = "from " + *sources.begin();
  } else if (sources.size() > 1) {
    text = fmt::format("from {} addresses", sources.size());
  }
  if (interfaces.size() == 1 && !interfaces.begin()->empty()) {
    text += " dev " + *interfaces.begin();
  }
  return text;
}

std::string how_fast(const probe::ProbePlan& plan, const stats::RunResult& result) {
  std::string text = plan.rate_pps > 0.0
                         ? rate_text(plan.rate_pps)
                         : fmt::format("as fast as it goes ({})", rate_text(result.local.rate_achieved_pps));
  if (plan.duration.count() > 0) {
    text += " for " + duration_text(plan.duration.count());
  }
  if (plan.count > 0) {
    text += fmt::format(", {}{}", counted(plan.count, "probe", "probes"), plan.destinations.size() > 1 ? " each" : "");
  }
  const bool is_bounded = plan.duration.count() > 0 || plan.count > 0;
  if (result.interrupted) {
    text += fmt::format("{} after {}", is_bounded ? ", interrupted" : " until interrupted",
                        duration_text(result.elapsed_ns));
  } else if (!is_bounded) {
    text += " until interrupted";
  }
  return text;
}

std::string over_what(const probe::ProbePlan& plan) {
  if (plan.protocol == probe::Protocol::icmp) {
    return {};
  }
  std::string text = ", " + counted(plan.source_ports.size(), "source port", "source ports");
  if (plan.only_queue) {
    text += fmt::format(" of queue {}", *plan.only_queue);
  }
  return text;
}

std::string rss_text(const probe::ProbePlan& plan) {
  if (!plan.rss) {
    return {};
  }
  return fmt::format(", {} by RSS of {}", counted(distinct_queues(*plan.rss), "queue", "queues"), rss_basis(plan));
}

// What differs from a plain packet.
std::string header_text(const probe::ProbePlan& plan) {
  constexpr std::uint8_t kUsualTtl = 64;
  std::string text;
  if (plan.ttl != kUsualTtl) {
    text += fmt::format(", ttl {}", plan.ttl);
  }
  if (plan.dscp != 0) {
    text += fmt::format(", dscp {}", plan.dscp);
  }
  if (plan.dont_fragment) {
    text += ", df";
  }
  return text;
}

}  // namespace

void write_headline(Page& page, const TextContext& context) {
  const probe::ProbePlan& plan = context.document.plan;
  const stats::RunResult& result = context.document.result;
  std::vector<std::string> fields{page.styled(Style::strong, page.printable(who(context))) + what(plan)};
  const std::string source = from(plan);
  if (!source.empty()) {
    fields.push_back(page.printable(source));
  }
  fields.push_back(page.printable(how_fast(plan, result) + over_what(plan) + header_text(plan) + rss_text(plan)));
  page.fields(2, fields);
}

}  // namespace volley::report

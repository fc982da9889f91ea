// Words and ports that all checks of a destination share. Pure; any thread.
#include "volley/diagnosis/subject.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "volley/diagnosis/wording.h"

namespace volley::diagnosis {
namespace {

std::string rate_option(double rate_pps) {
  if (rate_pps == probe::kDefaultRatePps) return {};
  if (rate_pps <= 0.0) return " -r max";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rate_pps);
  return " -r " + std::string(text.data(), end.ptr);
}

}  // namespace

std::string host_text(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  return destination.target.empty() ? wire::to_string(destination.address) : destination.target;
}

std::string destination_text(const Subject& subject) {
  const stats::DestinationResult& destination = subject.destination();
  const std::string address = wire::to_string(destination.address);
  std::string text =
      destination.target.empty() || destination.target == address ? address : destination.target + " (" + address + ")";
  if (subject.plan.protocol == probe::Protocol::icmp) return text;
  return text + " on " + service_text(subject.plan.protocol, destination.port);
}

std::string probe_command(const Subject& subject, const std::string& options) {
  std::string command =
      "sudo volley probe" + protocol_option(subject.plan.protocol) + rate_option(subject.plan.rate_pps);
  if (!options.empty()) command += " " + options;
  return command + " " + target_argument(subject.destination(), subject.plan.protocol);
}

wire::Flow flow_of(const Subject& subject) {
  const probe::Destination& destination = subject.plan.destinations[subject.index];
  wire::Flow flow{destination.source, destination.address, 0, destination.port, wire::IpProtocol::tcp};
  switch (subject.plan.protocol) {
    case probe::Protocol::tcp:
      break;
    case probe::Protocol::udp:
      flow.protocol = wire::IpProtocol::udp;
      break;
    case probe::Protocol::icmp:
      flow.protocol = destination.address.is_v6() ? wire::IpProtocol::icmpv6 : wire::IpProtocol::icmp;
      break;
  }
  return flow;
}

Finding make_finding(const Subject& subject, FindingKind kind, Severity severity) {
  Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.destination = subject.index;
  return finding;
}

std::vector<std::uint16_t> worst_ports(std::vector<stats::PortResult> candidates, std::size_t count) {
  std::erase_if(candidates, [](const stats::PortResult& port) { return port.lost == 0; });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const stats::PortResult& a, const stats::PortResult& b) { return a.lost > b.lost; });
  candidates.resize(std::min(candidates.size(), count));
  std::vector<std::uint16_t> ports;
  for (const stats::PortResult& port : candidates) ports.push_back(port.port);
  std::sort(ports.begin(), ports.end());
  return ports;
}

std::vector<std::uint16_t> sound_ports(const std::vector<stats::PortResult>& candidates, std::size_t count) {
  std::vector<std::uint16_t> clean;
  for (const stats::PortResult& port : candidates) {
    if (port.lost == 0 && port.answered > 0) clean.push_back(port.port);
  }
  if (clean.size() <= count) return clean;
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) ports.push_back(clean[i * clean.size() / count]);
  return ports;
}

}  // namespace volley::diagnosis

// The words that all formats share; see the header.
#include "volley/report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "volley/wire/packet.h"

namespace volley::report {

std::string_view to_string(probe::Protocol protocol) {
  switch (protocol) {
    case probe::Protocol::tcp:
      return "tcp";
    case probe::Protocol::udp:
      return "udp";
    case probe::Protocol::icmp:
      return "icmp";
  }
  return "";
}

std::string_view to_string(probe::ReplyKind kind) {
  switch (kind) {
    case probe::ReplyKind::none:
      return "";
    case probe::ReplyKind::syn_ack:
      return "SYN-ACK";
    case probe::ReplyKind::rst:
      return "RST";
    case probe::ReplyKind::echo_reply:
      return "echo reply";
    case probe::ReplyKind::udp_reply:
      return "UDP reply";
    case probe::ReplyKind::port_unreachable:
      return "port unreachable";
    case probe::ReplyKind::other_tcp:
      return "other TCP";
  }
  return "";
}

std::string_view key_of(probe::NotSentReason reason) {
  switch (reason) {
    case probe::NotSentReason::none:
      return "";
    case probe::NotSentReason::no_buffer:
      return "no_buffer";
    case probe::NotSentReason::not_permitted:
      return "not_permitted";
    case probe::NotSentReason::no_route:
      return "no_route";
    case probe::NotSentReason::too_big:
      return "too_big";
    case probe::NotSentReason::other_error:
      return "other_error";
    case probe::NotSentReason::not_departed:
      return "not_departed";
    case probe::NotSentReason::table_full:
      return "table_full";
  }
  return "";
}

std::string_view explanation_of(probe::NotSentReason reason) {
  switch (reason) {
    case probe::NotSentReason::none:
      return "";
    case probe::NotSentReason::no_buffer:
      return "no buffer space in the kernel (ENOBUFS)";
    case probe::NotSentReason::not_permitted:
      return "refused by a firewall of this host (EPERM)";
    case probe::NotSentReason::no_route:
      return "no route, or the interface is down";
    case probe::NotSentReason::too_big:
      return "longer than the MTU (EMSGSIZE)";
    case probe::NotSentReason::other_error:
      return "other error of the kernel";
    case probe::NotSentReason::not_departed:
      return "dropped by this host before the wire (its queueing discipline or firewall)";
    case probe::NotSentReason::table_full:
      return "too many probes in flight";
  }
  return "";
}

std::string tcp_flags_text(std::uint8_t flags) {
  constexpr std::pair<std::uint8_t, std::string_view> kNames[] = {
      {wire::tcp_flag::kSyn, "SYN"}, {wire::tcp_flag::kFin, "FIN"}, {wire::tcp_flag::kRst, "RST"},
      {wire::tcp_flag::kPsh, "PSH"}, {wire::tcp_flag::kAck, "ACK"}, {wire::tcp_flag::kUrg, "URG"},
      {wire::tcp_flag::kEce, "ECE"}, {wire::tcp_flag::kCwr, "CWR"}};
  std::string text;
  for (const auto& [bit, name] : kNames) {
    if ((flags & bit) != 0) {
      text += fmt::format("{}{}", text.empty() ? "" : ",", name);
    }
  }
  return text.empty() ? "none" : text;
}

std::string udp_payload_text(const probe::ProbePlan& plan) {
  switch (plan.udp_payload) {
    case probe::UdpPayload::sized:
      return "sized";
    case probe::UdpPayload::dns:
      return "dns";
    case probe::UdpPayload::ntp:
      return "ntp";
    case probe::UdpPayload::echo:
      return "echo";
    case probe::UdpPayload::custom:
      break;
  }
  std::string hex;
  for (const std::uint8_t byte : plan.custom_payload) {
    hex += fmt::format("{:02x}", byte);
  }
  return hex;
}

std::string port_ranges(const std::vector<std::uint16_t>& ports) {
  std::string text;
  for (std::size_t i = 0; i < ports.size();) {
    std::size_t end = i + 1;
    while (end < ports.size() && ports[end] == ports[end - 1] + 1) {
      ++end;
    }
    text += text.empty() ? "" : ",";
    text += end - i == 1 ? fmt::format("{}", ports[i]) : fmt::format("{}-{}", ports[i], ports[end - 1]);
    i = end;
  }
  return text;
}

std::size_t distinct_queues(const rss::RssConfig& config) {
  return std::set<rss::QueueId>(config.table.begin(), config.table.end()).size();
}

std::string rss_basis(const probe::ProbePlan& plan) {
  if (!plan.rss_source.empty()) {
    return plan.rss_source;
  }
  return plan.rss && !plan.rss->key_name.empty() ? plan.rss->key_name : "rss";
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

std::string host_text(const stats::DestinationResult& destination) {
  const std::string address = wire::to_string(destination.address);
  if (destination.target.empty() || destination.target == address) {
    return address;
  }
  return fmt::format("{} ({})", destination.target, address);
}

std::string service_text(probe::Protocol protocol, std::uint16_t port) {
  if (protocol == probe::Protocol::icmp) {
    return "icmp";
  }
  return fmt::format("{}/{}", to_string(protocol), port);
}

std::vector<NamedCount> answer_kinds(const stats::ReplyCounts& replies) {
  std::vector<NamedCount> kinds{
      {to_string(probe::ReplyKind::syn_ack), replies.syn_ack},
      {to_string(probe::ReplyKind::rst), replies.rst},
      {to_string(probe::ReplyKind::echo_reply), replies.echo_reply},
      {to_string(probe::ReplyKind::udp_reply), replies.udp_reply},
      {to_string(probe::ReplyKind::port_unreachable), replies.port_unreachable},
      {to_string(probe::ReplyKind::other_tcp), replies.other_tcp},
  };
  std::erase_if(kinds, [](const NamedCount& kind) { return kind.count == 0; });
  return kinds;
}

}  // namespace volley::report

// One line for one reply; see the header.
#include "volley/report/reply_line.h"

#include <fmt/format.h>

#include "volley/report/words.h"

namespace volley::report {
namespace {

bool is_tcp(probe::ReplyKind kind) {
  return kind == probe::ReplyKind::syn_ack || kind == probe::ReplyKind::rst || kind == probe::ReplyKind::other_tcp;
}

std::string endpoint(const ReplyLine& line) {
  const std::string address = wire::to_string(line.address);
  if (line.protocol == probe::Protocol::icmp) {
    return address;
  }
  return line.address.is_v6() ? fmt::format("[{}]:{}", address, line.port) : fmt::format("{}:{}", address, line.port);
}

}  // namespace

ReplyLine reply_line_of(const probe::ProbePlan& plan, const probe::Outcome& outcome) {
  const probe::Destination& destination = plan.destinations.at(outcome.destination);
  return {.sent_ns = outcome.sent_ns,
          .address = destination.address,
          .protocol = plan.protocol,
          .port = destination.port,
          .source_port = outcome.source_port,
          .kind = outcome.reply,
          .tcp_flags = outcome.reply_flags,
          .ttl = outcome.reply_ttl,
          .window = outcome.reply_window,
          .rtt_ns = outcome.rtt_ns,
          .local_queue = outcome.local_queue};
}

std::string to_text(const ReplyLine& line) {
  constexpr double kNsPerSecond = 1e9;
  constexpr double kNsPerMs = 1e6;
  std::string text = fmt::format("{:12.6f}  ", static_cast<double>(line.sent_ns) / kNsPerSecond);
  if (line.protocol != probe::Protocol::icmp) {
    text += fmt::format("port {:<5}  ", line.source_port);
  }
  text += fmt::format("{}  {}", endpoint(line), to_string(line.kind));
  if (is_tcp(line.kind)) {
    text += fmt::format("  flags {}", tcp_flags_text(line.tcp_flags));
  }
  if (line.ttl > 0) {
    text += fmt::format("  ttl {}", line.ttl);
  }
  if (is_tcp(line.kind)) {
    text += fmt::format("  window {}", line.window);
  }
  text += line.rtt_ns ? fmt::format("  rtt {:.3f} ms", static_cast<double>(*line.rtt_ns) / kNsPerMs) : "  rtt unknown";
  if (line.local_queue) {
    text += fmt::format("  queue {}", *line.local_queue);
  }
  return text;
}

}  // namespace volley::report

// Source ports of the target's queues, and the steps that show a bad one again.
// Pure; any thread.
#include "volley/diagnosis/queue_ports.h"

#include <algorithm>
#include <cmath>

#include "volley/diagnosis/exact_tail.h"
#include "volley/diagnosis/port_marks.h"
#include "volley/diagnosis/wording.h"
#include "volley/rss/flow_hasher.h"

namespace volley::diagnosis {
namespace {

bool contains(const std::vector<rss::QueueId>& queues, rss::QueueId queue) {
  return std::binary_search(queues.begin(), queues.end(), queue);
}

// For each of the destination's ports, whether it reaches one of the queues.
std::vector<bool> membership(const Subject& subject, const std::vector<rss::QueueId>& queues) {
  std::vector<bool> inside;
  if (!subject.plan.rss) return inside;
  const rss::FlowHasher hasher(*subject.plan.rss, flow_of(subject));
  for (const stats::PortResult& port : subject.destination().ports) {
    inside.push_back(contains(queues, hasher.queue(port.port)));
  }
  return inside;
}

std::string quoted(const std::string& text) {
  const bool is_plain = !text.empty() && text.find_first_not_of(
                                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789._-+:/=@%,") == std::string::npos;
  if (is_plain) return text;
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      result += "'\\''";
    } else {
      result += letter;
    }
  }
  return result + "'";
}

// The command that gives the target's RSS again, as the user gave it.
std::string command_for_queue(const Subject& subject, rss::QueueId queue) {
  const std::string& source = subject.plan.rss_source;
  const std::string only = " --queue " + std::to_string(queue);
  if (source == "-" || source.empty()) {
    return "ssh " + host_text(subject) + " ethtool -x DEV | " + probe_command(subject, "--rss -" + only);
  }
  const bool is_key = !subject.plan.rss->key_name.empty() && source == subject.plan.rss->key_name;
  const bool is_hex = source.size() >= 80 && source.find_first_not_of("0123456789abcdefABCDEF:") == std::string::npos;
  if (is_key || is_hex) {
    const rss::RssConfig& config = *subject.plan.rss;
    return probe_command(subject, "--rss-key " + quoted(source) + " --rss-queues " +
                                      std::to_string(config.queue_count()) + " --rss-table " +
                                      std::to_string(config.table.size()) + only);
  }
  return probe_command(subject, "--rss " + quoted(source) + only);
}

}  // namespace

std::vector<stats::PortResult> ports_of(const Subject& subject, const std::vector<rss::QueueId>& queues, bool inside) {
  std::vector<stats::PortResult> ports;
  const std::vector<bool> members = membership(subject, queues);
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] == inside) ports.push_back(subject.destination().ports[i]);
  }
  return ports;
}

bool do_ports_agree(const Subject& subject, const std::vector<rss::QueueId>& queues,
                    std::span<const std::uint64_t> hits) {
  const std::vector<bool> members = membership(subject, queues);
  if (members.empty() || members.size() != hits.size()) return true;
  const std::vector<std::uint8_t> marks = mark_ports(hits);
  Draw draw{marks.size(), 0, 0};
  std::uint64_t marked_inside = 0;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    draw.marked += marks[i];
    draw.drawn += members[i] ? 1U : 0U;
    marked_inside += members[i] ? marks[i] : 0U;
  }
  const double size = static_cast<double>(queues.size());
  const double price = log_choose(subject.destination().remote_queues.size(), queues.size()) +
                       std::log(size * (size + 1.0)) + subject.log_price();
  return log_hypergeometric_upper(draw, marked_inside) + price < std::log(kKnownQueueAlpha);
}

void add_queue_steps(const Subject& subject, const std::vector<rss::QueueId>& queues, Finding& finding) {
  constexpr std::size_t kPortsShown = 4;
  const std::string queue = std::to_string(queues.front());
  finding.next_steps.push_back("try " + command_for_queue(subject, queues.front()));
  const auto bad = ports_of(subject, queues, true);
  finding.ports = worst_ports(bad, kPortsShown);
  if (finding.ports.empty()) {
    for (std::size_t i = 0; i < std::min(bad.size(), kPortsShown); ++i) finding.ports.push_back(bad[i].port);
  }
  const auto sound = sound_ports(ports_of(subject, queues, false), kPortsShown);
  if (!finding.ports.empty()) {
    std::string sentence = "source ports of " + queues_text(queues) + ": " + port_list(finding.ports);
    if (!sound.empty()) sentence += "; sound ones to compare: " + port_list(sound);
    finding.details.push_back(std::move(sentence));
  }
  finding.next_steps.push_back("look on " + host_text(subject) +
                               ": ethtool -S DEV (rx missed, no buffer, drop); the CPU of queue " + queue +
                               " in /proc/interrupts; its row in /proc/net/softnet_stat");
}

std::string queues_text(const std::vector<rss::QueueId>& queues) {
  return (queues.size() == 1 ? "queue " : "queues ") + enumeration(queues);
}

}  // namespace volley::diagnosis

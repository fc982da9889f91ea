// Finished runs made by hand, for the tests of the report: one for each kind of
// page. Plain values; the numbers are invented but agree with each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "volley/report/document.h"
#include "volley/report/notes.h"

namespace volley::report::samples {

struct Sample {
  probe::ProbePlan plan;
  stats::RunResult result;
  std::vector<diagnosis::Finding> findings;
  std::vector<std::string> notes;

  Document document() const { return {plan, result, findings, "0.1.0", notes, "ethernet"}; }
};

constexpr std::int64_t us(double value) {
  return static_cast<std::int64_t>(value * 1000.0);
}

inline wire::IpAddress address(std::string_view text) {
  return wire::parse_address(text).value();
}

// Wilson score interval, as stats computes it.
inline stats::Ratio ratio(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) {
    return {};
  }
  const double z = 1.959963984540054;
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
  const double half = z / (1.0 + z * z / n) * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
  return {p, hits == 0 ? 0.0 : middle - half, hits == trials ? 1.0 : middle + half};
}

inline stats::RttSummary rtt(std::uint64_t count, double scale = 1.0) {
  const auto scaled = [&](double value) { return us(value * scale); };
  return {count,         scaled(71.2),  scaled(95.4),  scaled(14.0),  scaled(93.1),
          scaled(121.0), scaled(210.3), scaled(903.0), scaled(1322.4)};
}

inline stats::RttShape shape(double scale = 1.0) {
  return {us(71.2 * scale), us(1322.4 * scale), {12, 310, 2900, 4100, 1500, 620, 300, 120, 60, 31, 14, 9,
                                                 6,  4,   3,    2,    0,    1,   0,   0,   0,  0,  1,  2}};
}

inline void add_destination(Sample& sample, const std::string& name, std::string_view ip, std::uint16_t port) {
  probe::Destination destination;
  destination.address = address(ip);
  destination.port = port;
  destination.source = address(destination.address.is_v6() ? "fd00:3::9" : "10.0.3.9");
  destination.interface_index = 2;
  destination.interface_name = "eth0";
  destination.mtu_bytes = 1500;
  destination.name = name;
  sample.plan.destinations.push_back(destination);
  stats::DestinationResult result;
  result.target = name;
  result.address = destination.address;
  result.port = port;
  sample.result.destinations.push_back(result);
}

// A run of default length without targets.
inline Sample empty_run(probe::Protocol protocol) {
  Sample sample;
  sample.plan.protocol = protocol;
  if (protocol != probe::Protocol::icmp) {
    for (std::uint32_t port = 40960; port < 40960 + 2048; ++port) {
      sample.plan.source_ports.push_back(static_cast<std::uint16_t>(port));
    }
    sample.plan.port_base = 40960;
    sample.plan.port_bits = 11;
  }
  sample.plan.duration = std::chrono::seconds(10);
  sample.plan.timeout = std::chrono::seconds(1);
  sample.plan.seed = 4711;
  sample.plan.payload_bytes = protocol == probe::Protocol::icmp ? 56 : 0;
  sample.result.started_ns = 1'714'564'800'123'456'789;
  sample.result.elapsed_ns = 11'000'000'000;
  sample.result.local.rate_asked_pps = 1000.0;
  sample.result.local.rate_achieved_pps = 999.9;
  sample.result.local.sender_lag = {us(3.1), us(21.0), us(310.0)};
  sample.result.timeline.bin_ns = 1'000'000'000;
  return sample;
}

// Fills in what `sent` probes of which `lost` were lost give.
inline void measure(stats::DestinationResult& destination, std::uint64_t sent, std::uint64_t lost, double scale = 1.0) {
  destination.sent = sent;
  destination.lost = lost;
  destination.answered = sent - lost;
  destination.replies.syn_ack = destination.answered;
  destination.direction.unknown = lost;
  destination.loss = ratio(lost, sent);
  destination.source_ports_used = 2048;
  if (destination.answered > 0) {
    destination.rtt = rtt(destination.answered, scale);
    destination.shape = shape(scale);
    destination.jitter_ns = us(19.2 * scale);
    destination.reply_ttl_min = 62;
    destination.reply_ttl_max = 62;
    destination.slow_threshold_ns = us(400.0 * scale);
  }
}

inline void add_timeline(Sample& sample) {
  for (std::int64_t second = 0; second < 10; ++second) {
    sample.result.timeline.bins.push_back({second * 1'000'000'000, 1000, 1000, 0, us(93.0), us(210.0)});
  }
}

inline Sample nothing_wrong() {
  Sample sample = empty_run(probe::Protocol::tcp);
  add_destination(sample, "10.0.3.7", "10.0.3.7", 6379);
  measure(sample.result.destinations.front(), 10000, 0);
  sample.result.destinations.front().reordered = 2;
  add_timeline(sample);
  return sample;
}

inline rss::RssConfig eight_queues() {
  rss::RssConfig config;
  for (std::size_t i = 0; i < 40; ++i) {
    config.key.push_back(static_cast<std::uint8_t>(0x6d ^ (i * 37)));
  }
  for (std::size_t i = 0; i < 128; ++i) {
    config.table.push_back(static_cast<rss::QueueId>(i % 8));
  }
  return config;
}

inline void add_queues(Sample& sample, rss::QueueId count, rss::QueueId bad, std::uint64_t lost) {
  stats::DestinationResult& destination = sample.result.destinations.front();
  for (rss::QueueId id = 0; id < count; ++id) {
    stats::QueueResult queue;
    queue.queue = id;
    queue.sent = destination.sent / count;
    queue.lost = id == bad ? lost : 0;
    queue.answered = queue.sent - queue.lost;
    queue.loss = ratio(queue.lost, queue.sent);
    queue.rtt = rtt(queue.answered, 1.0 + 0.01 * id);
    queue.shape = shape();
    std::rotate(queue.shape.counts.begin(), queue.shape.counts.end() - id % 3, queue.shape.counts.end());
    destination.remote_queues.push_back(queue);
  }
}

inline void add_ports(stats::DestinationResult& destination, const std::vector<std::uint16_t>& lossy) {
  for (const std::uint16_t port : lossy) {
    stats::PortResult result;
    result.port = port;
    result.sent = 5;
    result.lost = port % 3U + 1U;
    result.answered = result.sent - result.lost;
    result.slow = port % 2U;
    result.rtt_count = result.answered;
    result.rtt_min_ns = us(80.1);
    result.rtt_mean_ns = us(99.7);
    result.rtt_max_ns = us(250.0);
    destination.ports.push_back(result);
  }
}

inline diagnosis::Finding queue_finding() {
  diagnosis::Finding finding;
  finding.kind = diagnosis::FindingKind::queue_loss;
  finding.severity = diagnosis::Severity::critical;
  finding.summary = "queue 3 loses packets";
  finding.details = {
      "63 of 1250 probes (5.0 %, 95 %: 3.9 to 6.4 %) against 0 of 8750 on the other queues; p < 1e-50; lost on the way "
      "there"};
  finding.next_steps = {
      "try ssh web7 ethtool -x DEV | sudo volley probe --rss - --queue 3 web7:443",
      "look on web7: ethtool -S DEV (rx missed, no buffer, drop); the CPU of queue 3 in /proc/interrupts; its row in "
      "/proc/net/softnet_stat"};
  finding.p_value = 2.5e-58;
  finding.evidence = {{"queues", std::vector<std::int64_t>{3}},
                      {"lost", std::int64_t{63}},
                      {"loss_ratio", 63.0 / 1250.0},
                      {"direction", std::string("forward")}};
  finding.ports = {41017, 41211, 41830, 42204};
  return finding;
}

inline Sample bad_queue() {
  Sample sample = empty_run(probe::Protocol::tcp);
  sample.plan.rss = eight_queues();
  sample.plan.rss_source = "web7.txt";
  add_destination(sample, "web7", "10.0.3.7", 443);
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 10000, 63);
  destination.direction = {63, 0, 0};
  destination.reordered = 4;
  add_queues(sample, 8, 3, 63);
  add_ports(destination, {41017, 41211, 41830, 42204});
  destination.local_queues = destination.remote_queues;
  destination.local_queues.resize(2);
  for (stats::QueueResult& queue : destination.local_queues) {
    queue.sent = 0;
    queue.lost = 0;
    queue.answered = 4968;
    queue.rtt.count = 4968;
  }
  sample.findings.push_back(queue_finding());
  add_timeline(sample);
  return sample;
}

inline Sample many_queues() {
  Sample sample = empty_run(probe::Protocol::tcp);
  sample.plan.rss = eight_queues();
  for (std::size_t i = 0; i < 128; ++i) {
    sample.plan.rss->table[i] = static_cast<rss::QueueId>(i % 48);
  }
  sample.plan.rss_source = "-";
  add_destination(sample, "cache12", "10.0.3.12", 6379);
  measure(sample.result.destinations.front(), 96000, 23);
  add_queues(sample, 48, 17, 20);
  sample.result.destinations.front().remote_queues[40].lost = 3;
  sample.result.destinations.front().remote_queues[40].loss = ratio(3, 2000);
  diagnosis::Finding finding = queue_finding();
  finding.summary = "queue 17 loses packets";
  finding.evidence.front().second = std::vector<std::int64_t>{17};
  sample.findings.push_back(finding);
  return sample;
}

inline Sample dead_target() {
  Sample sample = empty_run(probe::Protocol::tcp);
  add_destination(sample, "10.0.3.7", "10.0.3.7", 6379);
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 10000, 10000);
  destination.replies.unreachable = {{{3, 1, address("10.0.3.1")}, 62}, {{3, 13, address("10.0.9.1")}, 9900}};
  diagnosis::Finding finding;
  finding.kind = diagnosis::FindingKind::no_answer;
  finding.severity = diagnosis::Severity::critical;
  finding.summary = "no answer from 10.0.3.7 on tcp/6379";
  finding.details = {"10.0.9.1 says admin prohibited, 9900 times", "10.0.3.1 says host unreachable, 62 times"};
  finding.next_steps = {"try sudo volley probe --icmp -c 20 10.0.3.7"};
  sample.findings.push_back(finding);
  return sample;
}

inline Sample icmp_one_queue() {
  Sample sample = empty_run(probe::Protocol::icmp);
  sample.plan.rss = eight_queues();
  sample.plan.rss_source = "web7.txt";
  add_destination(sample, "web7", "10.0.3.7", 0);
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 10000, 0);
  destination.replies = {};
  destination.replies.echo_reply = 10000;
  destination.source_ports_used = 0;
  add_queues(sample, 8, 0, 0);
  for (stats::QueueResult& queue : destination.remote_queues) {
    queue.sent = queue.queue == 5 ? 10000 : 0;
    queue.answered = queue.sent;
    queue.rtt = queue.queue == 5 ? rtt(10000) : stats::RttSummary{};
  }
  return sample;
}

inline Sample udp_one_queue() {
  Sample sample = icmp_one_queue();
  Sample udp = empty_run(probe::Protocol::udp);
  udp.plan.rss = sample.plan.rss;
  udp.plan.rss->udp_fields = rss::HashFields::addresses;
  udp.plan.rss_source = sample.plan.rss_source;
  udp.plan.udp_payload = probe::UdpPayload::dns;
  add_destination(udp, "ns1", "fd00:3::35", 53);
  stats::DestinationResult& destination = udp.result.destinations.front();
  const std::string target = destination.target;
  const wire::IpAddress ip = destination.address;
  destination = sample.result.destinations.front();
  destination.target = target;
  destination.address = ip;
  destination.port = 53;
  destination.source_ports_used = 2048;
  destination.replies = {};
  destination.replies.udp_reply = 9990;
  destination.replies.port_unreachable = 10;
  return udp;
}

inline Sample several_ports() {
  Sample sample = empty_run(probe::Protocol::tcp);
  for (const std::uint16_t port : {std::uint16_t{80}, std::uint16_t{443}, std::uint16_t{8000}, std::uint16_t{8001}}) {
    add_destination(sample, "web7", "10.0.3.7", port);
    measure(sample.result.destinations.back(), 2500, port == 443 ? 25 : 0, port == 80 ? 1.0 : 1.4);
  }
  stats::DestinationResult& closed = sample.result.destinations.back();
  closed.replies.rst = closed.replies.syn_ack;
  closed.replies.syn_ack = 0;
  stats::DestinationResult& silent = sample.result.destinations[2];
  const std::string target = silent.target;
  measure(silent, 2500, 2500);
  silent.rtt = {};
  silent.replies = {};
  diagnosis::Finding finding;
  finding.kind = diagnosis::FindingKind::not_enough_probes;
  finding.severity = diagnosis::Severity::info;
  finding.destination = 1;
  finding.summary = "25 of 2500 probes lost: too few to say whether the loss follows the flow";
  finding.next_steps = {"try sudo volley probe -d 20s web7:443"};
  sample.findings.push_back(finding);
  return sample;
}

inline Sample sixty_destinations() {
  Sample sample = empty_run(probe::Protocol::tcp);
  for (int i = 0; i < 60; ++i) {
    add_destination(sample, "cache" + std::to_string(i), "10.0.4." + std::to_string(i + 1), 6379);
    measure(sample.result.destinations.back(), 166, i % 20 == 7 ? static_cast<std::uint64_t>(i / 10 + 1) : 0,
            1.0 + 0.003 * i);
  }
  stats::DestinationResult& silent = sample.result.destinations[31];
  measure(silent, 166, 166);
  silent.rtt = {};
  silent.replies = {};
  sample.result.destinations[12].not_sent = 4;
  sample.result.local.not_sent[1] = 4;
  return sample;
}

inline Sample interrupted() {
  Sample sample = empty_run(probe::Protocol::tcp);
  sample.plan.duration = std::chrono::nanoseconds(0);
  sample.plan.rate_pps = 20000.0;
  add_destination(sample, "fd00:3::7", "fd00:3::7", 443);
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 61234, 12, 4.0);
  destination.in_flight = 31;
  destination.sent += 31;
  destination.late = 3;
  destination.direction = {0, 9, 3};
  destination.stale_half_open = 2;
  destination.sent += 2;
  destination.duplicates = 1;
  destination.reply_ttl_max = 63;
  sample.result.interrupted = true;
  sample.result.elapsed_ns = 3'276'000'000;
  sample.result.local.rate_asked_pps = 20000.0;
  sample.result.local.rate_achieved_pps = 18712.4;
  sample.result.local.sender_lag = {us(41.0), us(2190.0), us(5012.0)};
  sample.result.local.skipped_ports = {40971, 40980, 40981};
  sample.plan.warnings = {"ports come round after 102 ms, sooner than the timeout of 1 s"};
  add_ports(destination, {40990, 40991, 40992, 40993, 40994, 40995, 40996, 40997, 40998});
  sample.notes = standard_notes(sample.plan, sample.result);
  return sample;
}

inline Sample capture_drops() {
  Sample sample = nothing_wrong();
  measure(sample.result.destinations.front(), 10000, 118);
  sample.result.local.capture_drops = 120;
  sample.result.local.interface_drops = 1;
  return sample;
}

inline Sample not_sent() {
  Sample sample = nothing_wrong();
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 0, 0);
  destination = stats::DestinationResult{};
  destination.target = "10.0.3.7";
  destination.address = address("10.0.3.7");
  destination.port = 6379;
  destination.not_sent = 10000;
  sample.result.local.not_sent[static_cast<std::size_t>(probe::NotSentReason::not_permitted)] = 9990;
  sample.result.local.not_sent[static_cast<std::size_t>(probe::NotSentReason::no_buffer)] = 10;
  sample.result.local.send_errors = 10000;
  sample.result.timeline.bins.clear();
  return sample;
}

inline Sample loopback() {
  Sample sample = nothing_wrong();
  stats::DestinationResult& destination = sample.result.destinations.front();
  measure(destination, 500, 1, 0.14);
  sample.plan.duration = std::chrono::nanoseconds(0);
  sample.plan.count = 500;
  sample.plan.ttl = 3;
  sample.plan.dscp = 46;
  destination.answered_without_rtt = 1;
  --destination.rtt.count;
  return sample;
}

inline Sample no_destination() {
  return empty_run(probe::Protocol::tcp);
}

}  // namespace volley::report::samples

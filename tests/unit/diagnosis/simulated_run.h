// Finished runs with known truth for the tests of diagnosis: probes drawn over
// a block of source ports, lost and delayed by functions of the port.
//
// Every number comes from the seed. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/rss/config.h"
#include "volley/rss/flow_hasher.h"
#include "volley/rss/indirection_table.h"
#include "volley/stats/interval.h"
#include "volley/stats/run_result.h"
#include "volley/stats/tail_scale.h"

namespace volley::diagnosis::test {

struct RunOptions {
  std::uint64_t probes = 10'000;
  std::uint16_t port_base = 32768;
  std::uint8_t port_bits = 11;
  std::uint64_t seed = 1;
  double rate_pps = 1000.0;
  probe::Protocol protocol = probe::Protocol::tcp;
  bool is_rss_given = false;                                                   // the plan knows `rss`
  std::function<double(std::uint16_t)> loss = nullptr;                         // of a source port; empty: none
  std::function<std::int64_t(std::uint16_t, std::mt19937_64&)> rtt = nullptr;  // empty: 100 us and some jitter
  // Further delay of a probe by its port and time of sending.
  std::function<std::int64_t(std::uint16_t, std::int64_t)> delay = nullptr;
};

inline wire::IpAddress v4(std::uint8_t last) {
  const std::array<std::uint8_t, 4> octets{10, 0, 3, last};
  return wire::IpAddress::from_v4(octets);
}

inline rss::RssConfig random_rss(std::uint64_t seed, std::size_t queues, std::size_t entries,
                                 rss::TableFill fill = rss::TableFill::modulo) {
  std::mt19937_64 random(seed);
  rss::RssConfig config;
  config.key.resize(40);
  for (std::uint8_t& byte : config.key) byte = static_cast<std::uint8_t>(random());
  config.table = rss::default_table(entries, queues, fill);
  return config;
}

struct SimulatedRun {
  probe::ProbePlan plan;
  stats::RunResult result;
};

inline wire::Flow probe_flow() {
  return {v4(9), v4(7), 0, 443, wire::IpProtocol::tcp};
}

// The queue of each port under `config`, for the flow of simulated runs.
inline std::function<rss::QueueId(std::uint16_t)> queues_of(const rss::RssConfig& config) {
  return [hasher = rss::FlowHasher(config, probe_flow())](std::uint16_t port) { return hasher.queue(port); };
}

inline probe::ProbePlan make_simulated_plan(const RunOptions& options, const rss::RssConfig* rss) {
  probe::ProbePlan plan;
  plan.protocol = options.protocol;
  probe::Destination destination;
  destination.address = v4(7);
  destination.source = v4(9);
  destination.port = 443;
  destination.name = "web7";
  destination.interface_name = "eth0";
  plan.destinations.push_back(destination);
  plan.port_base = options.port_base;
  plan.port_bits = options.port_bits;
  for (std::uint32_t i = 0; i < (1U << options.port_bits); ++i) {
    plan.source_ports.push_back(static_cast<std::uint16_t>(options.port_base + i));
  }
  plan.rate_pps = options.rate_pps;
  plan.timeout = std::chrono::seconds(1);
  plan.seed = options.seed;
  if (options.is_rss_given && rss != nullptr) {
    plan.rss = *rss;
    plan.rss_source = "-";
  }
  return plan;
}

inline stats::RttSummary summary_of(std::vector<std::int64_t>& values) {
  stats::RttSummary summary;
  if (values.empty()) return summary;
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
  };
  double sum = 0.0;
  for (const std::int64_t value : values) sum += static_cast<double>(value);
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0.0;
  for (const std::int64_t value : values)
    squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  summary.count = values.size();
  summary.min_ns = values.front();
  summary.max_ns = values.back();
  summary.mean_ns = static_cast<std::int64_t>(mean);
  summary.stddev_ns = static_cast<std::int64_t>(std::sqrt(squares / static_cast<double>(values.size())));
  summary.p50_ns = at(0.5);
  summary.p90_ns = at(0.9);
  summary.p99_ns = at(0.99);
  summary.p999_ns = at(0.999);
  return summary;
}

// A destination that has got no probe yet.
inline stats::DestinationResult empty_destination(const probe::ProbePlan& plan, const stats::TailScale& scale) {
  const std::size_t ports = plan.source_ports.size();
  stats::DestinationResult destination;
  destination.target = "web7";
  destination.address = v4(7);
  destination.port = 443;
  destination.ports.resize(ports);
  for (std::size_t i = 0; i < ports; ++i) destination.ports[i].port = plan.source_ports[i];
  destination.tails.thresholds_ns.assign(scale.thresholds_ns().begin(), scale.thresholds_ns().end());
  destination.tails.above.assign(ports * stats::kTailThresholds, 0);
  return destination;
}

// What follows from the counts.
inline void finish(stats::DestinationResult& destination, std::vector<std::int64_t>& rtts) {
  const std::size_t ports = destination.ports.size();
  destination.loss = stats::wilson_95(destination.lost, destination.sent);
  destination.rtt = summary_of(rtts);
  destination.replies.syn_ack = destination.answered;
  destination.direction.unknown = destination.lost;
  std::erase_if(destination.ports, [](const auto& port) { return port.sent == 0; });
  destination.source_ports_used = destination.ports.size();
  if (destination.ports.size() != ports) destination.tails = {};  // rows of unused ports would have to go too
}

// Draws ports like the sender: a fresh random order each round.
inline SimulatedRun simulate(const RunOptions& options, const rss::RssConfig* rss = nullptr) {
  SimulatedRun run{make_simulated_plan(options, rss), {}};
  std::mt19937_64 random(options.seed);
  std::uniform_real_distribution<double> chance;
  const std::size_t ports = run.plan.source_ports.size();
  std::vector<std::size_t> order(ports);
  for (std::size_t i = 0; i < ports; ++i) order[i] = i;
  const stats::TailScale scale(100'000);
  stats::DestinationResult destination = empty_destination(run.plan, scale);
  std::map<rss::QueueId, std::vector<std::int64_t>> queue_rtts;
  std::map<rss::QueueId, stats::QueueResult> queues;
  std::vector<std::int64_t> rtts;
  const auto queue_of = rss != nullptr ? queues_of(*rss) : nullptr;
  std::exponential_distribution<double> jitter(1.0 / 20'000.0);
  for (std::uint64_t n = 0; n < options.probes; ++n) {
    if (n % ports == 0) std::shuffle(order.begin(), order.end(), random);
    const std::size_t place = order[n % ports];
    stats::PortResult& port = destination.ports[place];
    const auto sent_ns = static_cast<std::int64_t>(static_cast<double>(n) * 1e9 / options.rate_pps);
    ++port.sent;
    ++destination.sent;
    stats::QueueResult* queue = nullptr;
    if (run.plan.rss) {
      queue = &queues[queue_of(port.port)];
      queue->queue = queue_of(port.port);
      ++queue->sent;
    }
    if (options.loss && chance(random) < options.loss(port.port)) {
      ++port.lost;
      ++destination.lost;
      if (queue != nullptr) ++queue->lost;
      run.result.lost_probes.push_back({n, sent_ns, 0, port.port});
      continue;
    }
    std::int64_t rtt =
        options.rtt ? options.rtt(port.port, random) : 80'000 + static_cast<std::int64_t>(jitter(random));
    if (options.delay) rtt += options.delay(port.port, sent_ns);
    if (rtt > 1'100'000) run.result.slow_replies.push_back({sent_ns, rtt, 0, port.port, std::nullopt});
    ++port.answered;
    ++port.rtt_count;
    ++destination.answered;
    if (queue != nullptr) ++queue->answered;
    rtts.push_back(rtt);
    if (queue != nullptr) queue_rtts[queue->queue].push_back(rtt);
    for (std::size_t t = 0; t < scale.bin_of(rtt); ++t) ++destination.tails.above[place * stats::kTailThresholds + t];
  }
  run.result.slow_replies_seen = run.result.slow_replies.size();
  run.result.local.rate_achieved_pps = options.rate_pps;
  for (auto& [id, queue] : queues) {
    queue.loss = stats::wilson_95(queue.lost, queue.answered + queue.lost);
    queue.rtt = summary_of(queue_rtts[id]);
    destination.remote_queues.push_back(queue);
  }
  finish(destination, rtts);
  run.result.destinations.push_back(std::move(destination));
  return run;
}

}  // namespace volley::diagnosis::test

// The answers of `volley rss`, as values and as text: what a configuration
// means, queues of flows, source ports for a queue.
//
// Pure; any thread. Text and JSON (explain_json.h) print the same values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "volley/rss/config.h"
#include "volley/rss/ethtool.h"
#include "volley/rss/indirection_table.h"
#include "volley/rss/source_ports.h"
#include "volley/wire/flow.h"

namespace volley::rss {

struct FlowQueue {
  wire::Flow flow;
  std::uint32_t hash = 0;
  std::size_t entry = 0;  // of the table
  QueueId queue = 0;

  friend bool operator==(const FlowQueue&, const FlowQueue&) = default;
};

// Source ports between two endpoints.
struct PortChoice {
  wire::Flow flow;  // its source port doesn't matter
  HashFields fields = HashFields::addresses_and_ports;
  PortRange range;
  std::vector<std::uint32_t> per_queue;  // ports of the range for each queue
  std::optional<QueueId> queue;          // asked for
  std::vector<std::uint16_t> ports;      // of that queue, ascending; as many as were asked for

  friend bool operator==(const PortChoice&, const PortChoice&) = default;
};

struct RssAnswer {
  EthtoolRss rss;      // complete: make_config has seen it
  std::string source;  // what the user named: a file, "-", a key's name
  std::vector<std::string> caveats;
  std::vector<FlowQueue> flows;
  std::optional<PortChoice> ports;
};

std::vector<FlowQueue> queues_of(const RssConfig& config, std::span<const wire::Flow> flows);

// At most `count` ports of the queue (0: all), spread evenly over those there are.
PortChoice choose_ports(const RssConfig& config, const wire::Flow& flow, PortRange range, std::optional<QueueId> queue,
                        std::size_t count);

// Each ends in a newline, is plain ASCII and at most 100 columns wide, but for
// what the user named and for lines that are to be copied.
std::string explanation_text(const RssAnswer& answer);
std::string flows_text(const RssAnswer& answer);
std::string ports_text(const PortChoice& choice);

// What was asked for: flows and ports if there are any, else the explanation.
std::string to_text(const RssAnswer& answer);

}  // namespace volley::rss

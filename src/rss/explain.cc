// The answers of `volley rss` as text; see the header. Pure; any thread.
#include "volley/rss/explain.h"

#include <algorithm>
#include <map>

#include "volley/rss/flow_hasher.h"
#include "volley/rss/flow_text.h"
#include "volley/rss/known_keys.h"
#include "volley/rss/words.h"

namespace volley::rss {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kLabelColumn = 2;
constexpr std::size_t kValueColumn = 13;
constexpr std::size_t kShownKeyBytes = 8;  // enough to recognise a key

std::string row(std::string_view label, std::string_view value) {
  std::string line(kLabelColumn, ' ');
  line += label;
  line.resize(std::max(kValueColumn, line.size() + 1), ' ');
  const auto column = line.size();
  return line + wrapped(value, column, std::string(kValueColumn, ' '), kWidth) + "\n";
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string function_text(const EthtoolRss& rss) {
  const auto transform = rss.config.transform == InputTransform::none
                             ? std::string("no input transformation")
                             : "input transformation " + std::string(transform_name(rss.config.transform));
  return std::string(function_name(rss.config.function)) +
         (rss.function_source == FunctionSource::stated ? ", " : " (assumed), ") + transform;
}

std::string key_text(const RssConfig& config) {
  if (config.key.empty()) {
    return "none";
  }
  const auto size = std::to_string(config.key.size()) + " bytes, ";
  if (const auto* known = find_known_key(config.key_name)) {
    return size + "published: " + std::string(known->name) + " (" + std::string(known->users) + ")";
  }
  const auto shown = std::span(config.key).first(std::min(kShownKeyBytes, config.key.size()));
  return size + hex_bytes(shown) + ":...";
}

std::string table_text(const RssConfig& config) {
  const auto size = std::to_string(config.table.size()) + (config.table.size() == 1 ? " entry" : " entries");
  const auto match = match_default_fill(config.table);
  if (!match) {
    return size + ", filled by hand";
  }
  const auto queues = std::to_string(match->queues);
  switch (match->fill) {
    case TableFill::modulo:
    case TableFill::masked:
      return size + ", entry i to queue i % " + queues;
    case TableFill::blocks:
      return size + ", in blocks: entry i to queue i * " + queues + " / " + std::to_string(config.table.size());
  }
  return size;
}

// "8, 12.5 % each", or shares with the queues that have them.
std::string queues_text(const EthtoolRss& rss) {
  const auto entries = entries_per_queue(rss.config.table);
  std::map<std::uint32_t, std::vector<std::size_t>, std::greater<>> by_entries;
  for (std::size_t queue = 0; queue < std::max<std::size_t>(entries.size(), rss.ring_count); ++queue) {
    by_entries[queue < entries.size() ? entries[queue] : 0].push_back(queue);
  }
  const auto unused = by_entries.contains(0) ? by_entries[0] : std::vector<std::size_t>{};
  by_entries.erase(0);
  std::size_t used = 0;
  std::string shares;
  for (const auto& [count, queues] : by_entries) {
    used += queues.size();
    const auto share = percent(static_cast<double>(count) / static_cast<double>(rss.config.table.size()));
    if (by_entries.size() == 1) {
      shares = share + (queues.size() > 1 ? " each" : "");
    } else {
      shares += (shares.empty() ? "unequal: " : ", ") + share + " each to " + number_ranges(queues);
    }
  }
  auto text = std::to_string(used) + ", " + shares;
  if (!unused.empty()) {
    text += "; nothing to " + number_ranges(unused);
  }
  return text;
}

std::string fields_text(HashFields fields, const RssConfig& config) {
  switch (fields) {
    case HashFields::addresses:
      return "addresses alone: all packets between two hosts meet one queue";
    case HashFields::addresses_and_ports:
      return config.queue_count() == 1 ? "addresses and ports"
                                       : "addresses and ports: changing source ports reach all queues";
    case HashFields::none:
      return "not hashed: all packets meet one queue, most likely " +
             std::to_string(config.table.empty() ? QueueId{0} : config.table.front());
  }
  return "";
}

std::string protocol_rows(std::string_view name, wire::IpProtocol protocol, FieldsSource source,
                          const RssConfig& config) {
  const auto v4 = hash_fields(config, protocol, wire::IpFamily::v4);
  const auto v6 = hash_fields(config, protocol, wire::IpFamily::v6);
  const auto text = fields_text(v4, config) + (source == FieldsSource::assumed ? " (assumed)" : "");
  return row(name, text) + (v4 == v6 ? "" : row(std::string(name) + " (IPv6)", fields_text(v6, config)));
}

std::string source_name(const std::string& source) {
  return source == "-" ? "standard input" : source;
}

// The ports that are to be copied into --source-ports.
std::string comma_list(std::span<const std::uint16_t> ports) {
  std::string text;
  for (const auto port : ports) {
    text += (text.empty() ? "" : ",") + std::to_string(port);
  }
  return text;
}

std::string between(const PortChoice& choice) {
  return to_string(choice.flow.source) + " to " + endpoint_text(choice.flow.destination, choice.flow.destination_port) +
         " " + std::string(protocol_name(choice.flow.protocol));
}

std::string range_text(PortRange range) {
  return std::to_string(range.first) + "-" + std::to_string(range.last);
}

std::string queue_ports_text(const PortChoice& choice) {
  const auto queue = *choice.queue;
  const auto found = queue < choice.per_queue.size() ? choice.per_queue[queue] : 0;
  auto text = "queue " + std::to_string(queue) + "  from " + between(choice) + ": " + std::to_string(found) + " of " +
              std::to_string(choice.range.size()) + " source ports in " + range_text(choice.range) + "\n";
  if (found == 0) {
    if (choice.fields != HashFields::addresses_and_ports) {
      const auto all = std::max_element(choice.per_queue.begin(), choice.per_queue.end());
      text +=
          row("why", "ports are not hashed: every port meets queue " + std::to_string(all - choice.per_queue.begin()));
    }
    return text;
  }
  text += "  ports      " + comma_list(choice.ports) + "\n";
  if (choice.flow.protocol == wire::IpProtocol::tcp || choice.flow.protocol == wire::IpProtocol::udp) {
    text += "  try        volley probe " + std::string(choice.flow.protocol == wire::IpProtocol::udp ? "--udp " : "") +
            "--source-ports " +
            comma_list(std::span(choice.ports).first(std::min<std::size_t>(4, choice.ports.size()))) + " " +
            endpoint_text(choice.flow.destination, choice.flow.destination_port) + "\n";
  }
  return text;
}

}  // namespace

std::vector<FlowQueue> queues_of(const RssConfig& config, std::span<const wire::Flow> flows) {
  std::vector<FlowQueue> answers;
  answers.reserve(flows.size());
  const RssHasher hasher(config);
  for (const auto& flow : flows) {
    const auto hash = hasher.hash(flow);
    const auto entry = table_index(config.function, hash, config.table.size());
    answers.push_back({flow, hash, entry, config.table[entry]});
  }
  return answers;
}

PortChoice choose_ports(const RssConfig& config, const wire::Flow& flow, PortRange range, std::optional<QueueId> queue,
                        std::size_t count) {
  PortChoice choice{.flow = flow,
                    .fields = hash_fields(config, flow.protocol, flow.source.family),
                    .range = range,
                    .per_queue = ports_per_queue(config, flow, range),
                    .queue = queue,
                    .ports = {}};
  if (!queue) {
    return choice;
  }
  const auto all = ports_for_queue(config, flow, *queue, range);
  const auto wanted = count == 0 ? all.size() : std::min(count, all.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    choice.ports.push_back(all[i * all.size() / wanted]);
  }
  return choice;
}

std::string explanation_text(const RssAnswer& answer) {
  const auto& rss = answer.rss;
  auto text = "RSS" + (rss.interface_name.empty() ? "" : " of " + rss.interface_name) + " by " +
              source_name(answer.source) + "\n";
  text += row("function", function_text(rss));
  text += row("key", key_text(rss.config));
  text += row("table", table_text(rss.config));
  text += row("queues", queues_text(rss));
  text += protocol_rows("tcp", wire::IpProtocol::tcp, rss.tcp_fields_source, rss.config);
  text += protocol_rows("udp", wire::IpProtocol::udp, rss.udp_fields_source, rss.config);
  text += row("icmp", fields_text(HashFields::addresses, rss.config));
  for (const auto& note : rss.notes) {
    text += row("note", note);
  }
  for (const auto& caveat : answer.caveats) {
    text += row("note", caveat);
  }
  return text;
}

std::string flows_text(const RssAnswer& answer) {
  std::string text = "queue  entry  hash        flow\n";
  for (const auto& [flow, hash, entry, queue] : answer.flows) {
    text += right_aligned(std::to_string(queue), 5) + right_aligned(std::to_string(entry), 7) + "  " + hex_hash(hash) +
            "  " + flow_text(flow) + " " + std::string(protocol_name(flow.protocol)) + "\n";
  }
  return text;
}

std::string ports_text(const PortChoice& choice) {
  if (choice.queue) {
    return queue_ports_text(choice);
  }
  auto text = "from " + between(choice) + ", source ports " + range_text(choice.range) + "\nqueue  ports    share\n";
  for (std::size_t queue = 0; queue < choice.per_queue.size(); ++queue) {
    const auto ports = choice.per_queue[queue];
    const auto share = choice.range.size() == 0 ? 0.0 : static_cast<double>(ports) / choice.range.size();
    text += right_aligned(std::to_string(queue), 5) + right_aligned(std::to_string(ports), 7) +
            right_aligned(percent(share), 9) + "\n";
  }
  return text;
}

std::string to_text(const RssAnswer& answer) {
  if (answer.flows.empty() && !answer.ports) {
    return explanation_text(answer);
  }
  std::string text;
  if (!answer.flows.empty()) {
    text += flows_text(answer);
  }
  if (answer.ports) {
    text += (text.empty() ? "" : "\n") + ports_text(*answer.ports);
  }
  return text;
}

}  // namespace volley::rss

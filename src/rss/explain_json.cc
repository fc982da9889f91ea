// The answers of `volley rss` as JSON; see the header. Pure; any thread.
#include "volley/rss/explain_json.h"

#include <nlohmann/json.hpp>

#include "volley/rss/flow_text.h"
#include "volley/rss/words.h"

namespace volley::rss {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json fields_json(const RssConfig& config, wire::IpProtocol protocol, FieldsSource source) {
  return {{"ipv4", fields_name(hash_fields(config, protocol, wire::IpFamily::v4))},
          {"ipv6", fields_name(hash_fields(config, protocol, wire::IpFamily::v6))},
          {"stated", source == FieldsSource::stated}};
}

ordered_json config_json(const EthtoolRss& rss) {
  const auto& config = rss.config;
  return {{"interface", text_or_null(rss.interface_name)},
          {"rings", rss.ring_count == 0 ? ordered_json() : ordered_json(rss.ring_count)},
          {"function", function_name(config.function)},
          {"function_stated", rss.function_source == FunctionSource::stated},
          {"input_transformation", transform_name(config.transform)},
          {"key", text_or_null(hex_bytes(config.key))},
          {"key_name", text_or_null(config.key_name)},
          {"initial_hash", config.initial_hash},
          {"table", config.table},
          {"hashed_fields",
           {{"tcp", fields_json(config, wire::IpProtocol::tcp, rss.tcp_fields_source)},
            {"udp", fields_json(config, wire::IpProtocol::udp, rss.udp_fields_source)}}}};
}

ordered_json queues_json(const RssConfig& config) {
  auto list = ordered_json::array();
  const auto entries = entries_per_queue(config.table);
  for (std::size_t queue = 0; queue < entries.size(); ++queue) {
    list.push_back({{"queue", queue},
                    {"entries", entries[queue]},
                    {"share", static_cast<double>(entries[queue]) / static_cast<double>(config.table.size())}});
  }
  return list;
}

bool has_ports(wire::IpProtocol protocol) {
  return protocol == wire::IpProtocol::tcp || protocol == wire::IpProtocol::udp;
}

ordered_json port_or_null(wire::IpProtocol protocol, std::uint16_t port) {
  return has_ports(protocol) ? ordered_json(port) : ordered_json();
}

ordered_json flow_json(const FlowQueue& answer) {
  const auto& flow = answer.flow;
  return {{"protocol", protocol_name(flow.protocol)},
          {"source", to_string(flow.source)},
          {"source_port", port_or_null(flow.protocol, flow.source_port)},
          {"destination", to_string(flow.destination)},
          {"destination_port", port_or_null(flow.protocol, flow.destination_port)},
          {"hash", answer.hash},
          {"entry", answer.entry},
          {"queue", answer.queue}};
}

ordered_json ports_json(const PortChoice& choice) {
  auto per_queue = ordered_json::array();
  for (std::size_t queue = 0; queue < choice.per_queue.size(); ++queue) {
    per_queue.push_back({{"queue", queue}, {"count", choice.per_queue[queue]}});
  }
  const auto& flow = choice.flow;
  return {{"protocol", protocol_name(flow.protocol)},
          {"source", to_string(flow.source)},
          {"destination", to_string(flow.destination)},
          {"destination_port", port_or_null(flow.protocol, flow.destination_port)},
          {"first", choice.range.first},
          {"last", choice.range.last},
          {"queues", per_queue},
          {"queue", choice.queue ? ordered_json(*choice.queue) : ordered_json()},
          {"ports", choice.queue ? ordered_json(choice.ports) : ordered_json()}};
}

}  // namespace

std::string to_json(const RssAnswer& answer, std::string_view version) {
  auto flows = ordered_json::array();
  for (const auto& flow : answer.flows) {
    flows.push_back(flow_json(flow));
  }
  auto notes = answer.rss.notes;
  notes.insert(notes.end(), answer.caveats.begin(), answer.caveats.end());
  const ordered_json document{{"schema", "volley.rss/1"},
                              {"version", version},
                              {"source", answer.source},
                              {"config", config_json(answer.rss)},
                              {"queues", queues_json(answer.rss.config)},
                              {"flows", flows},
                              {"source_ports", answer.ports ? ports_json(*answer.ports) : ordered_json()},
                              {"notes", notes}};
  // A file's or an interface's name may hold any bytes.
  return document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace volley::rss

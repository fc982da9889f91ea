// JSON of schema volley.probe/1: key order, the type of every key, validity.
#include "volley/report/json.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden.h"
#include "samples.h"

using namespace volley::report;
using nlohmann::ordered_json;

namespace {

// A key and what it may hold: s string, i integer that isn't negative, n number,
// b boolean, o object, a array, l array of integers, t array of strings; a '?' allows null.
struct Key {
  std::string_view name;
  std::string_view type;
};

bool has_type(const ordered_json& value, char type) {
  switch (type) {
    case 's':
      return value.is_string();
    case 'i':
      return value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
    case 'n':
      return value.is_number();
    case 'b':
      return value.is_boolean();
    case 'o':
      return value.is_object();
    case 'a':
      return value.is_array();
    case 'l':
      return value.is_array() &&
             std::all_of(value.begin(), value.end(), [](const auto& v) { return has_type(v, 'i'); });
    case 't':
      return value.is_array() &&
             std::all_of(value.begin(), value.end(), [](const auto& v) { return has_type(v, 's'); });
    case '?':
      return value.is_null();
    default:
      return false;
  }
}

// `object` holds exactly these keys, in this order.
void check_keys(const ordered_json& object, const std::vector<Key>& keys) {
  REQUIRE(object.is_object());
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) {
    names.push_back(name);
  }
  std::vector<std::string> expected;
  for (const Key& key : keys) {
    expected.emplace_back(key.name);
  }
  REQUIRE(names == expected);
  for (const Key& key : keys) {
    INFO(key.name << " holds " << object[std::string(key.name)]);
    CHECK(std::any_of(key.type.begin(), key.type.end(),
                      [&](char type) { return has_type(object[std::string(key.name)], type); }));
  }
}

void check_rtt(const ordered_json& rtt) {
  check_keys(rtt, {{"count", "i"},
                   {"min", "i?"},
                   {"mean", "i?"},
                   {"stddev", "i?"},
                   {"p50", "i?"},
                   {"p90", "i?"},
                   {"p99", "i?"},
                   {"p999", "i?"},
                   {"max", "i?"}});
  for (const auto& [name, value] : rtt.items()) {
    CHECK((name == "count" || value.is_null() == (rtt["count"] == 0)));
  }
}

void check_loss(const ordered_json& object) {
  CHECK(object["loss_ratio"].is_null() == object["loss_ci95"].is_null());
  if (object["loss_ratio"].is_null()) {
    return;
  }
  REQUIRE(object["loss_ci95"].size() == 2);
  const double ratio = object["loss_ratio"];
  CHECK(object["loss_ci95"][0].get<double>() <= ratio);
  CHECK(ratio <= object["loss_ci95"][1].get<double>());
  CHECK(ratio >= 0.0);
  CHECK(ratio <= 1.0);
}

void check_replies(const ordered_json& replies) {
  check_keys(replies, {{"syn_ack", "i"},
                       {"rst", "i"},
                       {"echo_reply", "i"},
                       {"udp_reply", "i"},
                       {"port_unreachable", "i"},
                       {"syn_ack_resent", "i"},
                       {"unreachable", "a"},
                       {"unreachable_unlisted", "i"},
                       {"other_tcp", "i"},
                       {"reset_resent", "i"}});
  for (const auto& error : replies["unreachable"]) {
    check_keys(error, {{"code", "s"}, {"from", "s"}, {"count", "i"}, {"icmp_type", "i"}, {"icmp_code", "i"}});
  }
}

void check_source_ports(const ordered_json& source_ports) {
  check_keys(source_ports, {{"count", "i"}, {"ports", "a?"}, {"left_out", "b"}});
  for (const auto& port : source_ports["ports"]) {
    check_keys(port, {{"port", "i"},
                      {"sent", "i"},
                      {"answered", "i"},
                      {"lost", "i"},
                      {"slow", "i"},
                      {"rtt_ns", "o"},
                      {"queue", "i?"}});
    check_keys(port["rtt_ns"], {{"count", "i"}, {"min", "i?"}, {"mean", "i?"}, {"max", "i?"}});
  }
}

void check_queues(const ordered_json& result) {
  if (!result["remote_queues"].is_null()) {
    check_keys(result["remote_queues"], {{"basis", "s"}, {"queues", "a"}});
    for (const auto& queue : result["remote_queues"]["queues"]) {
      check_keys(queue, {{"queue", "i"},
                         {"sent", "i"},
                         {"answered", "i"},
                         {"lost", "i"},
                         {"loss_ratio", "n?"},
                         {"loss_ci95", "a?"},
                         {"rtt_ns", "o"}});
      check_loss(queue);
      check_rtt(queue["rtt_ns"]);
    }
  }
  for (const auto& queue : result["local_queues"]) {
    check_keys(queue, {{"queue", "i"}, {"answered", "i"}, {"rtt_ns", "o"}});
    check_rtt(queue["rtt_ns"]);
  }
}

void check_result(const ordered_json& result) {
  check_keys(result, {{"target", "s"},
                      {"address", "s"},
                      {"protocol", "s"},
                      {"port", "i?"},
                      {"sent", "i"},
                      {"answered", "i"},
                      {"lost", "i"},
                      {"late", "i"},
                      {"duplicates", "i"},
                      {"reordered", "i"},
                      {"not_sent", "i"},
                      {"in_flight", "i"},
                      {"loss_ratio", "n?"},
                      {"loss_ci95", "a?"},
                      {"replies", "o"},
                      {"loss_direction", "o"},
                      {"rtt_ns", "o"},
                      {"jitter_ns", "i?"},
                      {"reply_ttl", "o"},
                      {"stale_half_open", "i"},
                      {"source_ports", "o"},
                      {"remote_queues", "o?"},
                      {"local_queues", "a?"},
                      {"local_queue_unlisted", "i"},
                      {"rtt_error", "n"},
                      {"answered_without_rtt", "i"},
                      {"slow_threshold_ns", "i?"},
                      {"source", "o?"}});
  check_loss(result);
  check_replies(result["replies"]);
  check_keys(result["loss_direction"], {{"forward", "i"}, {"reverse", "i"}, {"unknown", "i"}});
  check_rtt(result["rtt_ns"]);
  check_keys(result["reply_ttl"], {{"min", "i?"}, {"max", "i?"}});
  check_source_ports(result["source_ports"]);
  check_queues(result);
}

void check_local(const ordered_json& local) {
  check_keys(local, {{"rate_pps", "o"},
                     {"sender_lag_ns", "o"},
                     {"capture_drops", "i"},
                     {"interface_drops", "i"},
                     {"send_errors", "i"},
                     {"foreign", "i"},
                     {"malformed", "i"},
                     {"skipped_ports", "l"},
                     {"not_sent", "o"},
                     {"frames", "i"},
                     {"rtt_without_departure", "i"},
                     {"resets_seen", "i"},
                     {"resets_expected", "i"},
                     {"clock_steps", "i"}});
  check_keys(local["rate_pps"], {{"asked", "n?"}, {"achieved", "n"}});
  check_keys(local["sender_lag_ns"], {{"p50", "i"}, {"p99", "i"}, {"max", "i"}});
  check_keys(local["not_sent"], {{"no_buffer", "i"},
                                 {"not_permitted", "i"},
                                 {"no_route", "i"},
                                 {"too_big", "i"},
                                 {"other_error", "i"},
                                 {"not_departed", "i"},
                                 {"table_full", "i"}});
}

void check_config(const ordered_json& config) {
  check_keys(config, {{"tcp", "b"},
                      {"udp", "b"},
                      {"icmp", "b"},
                      {"tcp-flags", "s?"},
                      {"udp-payload", "s?"},
                      {"size", "i"},
                      {"port", "l?"},
                      {"rate", "n?"},
                      {"count", "i?"},
                      {"duration_ns", "i?"},
                      {"timeout_ns", "i"},
                      {"source-ports", "s?"},
                      {"source-port-count", "i"},
                      {"seed", "i"},
                      {"interface", "s?"},
                      {"source", "s?"},
                      {"ttl", "i"},
                      {"dscp", "i"},
                      {"df", "b"},
                      {"rss", "s?"},
                      {"rss-key", "s?"},
                      {"rss-queues", "i?"},
                      {"rss-table", "i?"},
                      {"queue", "i?"}});
}

void check_document(const ordered_json& json) {
  check_keys(json, {{"schema", "s"},
                    {"version", "s"},
                    {"interrupted", "b"},
                    {"started", "s"},
                    {"elapsed_ns", "i"},
                    {"config", "o"},
                    {"source", "o"},
                    {"results", "a"},
                    {"local", "o"},
                    {"timeline", "o"},
                    {"findings", "a"},
                    {"notes", "t"}});
  CHECK(json["schema"] == "volley.probe/1");
  check_config(json["config"]);
  check_keys(json["source"], {{"address", "s?"}, {"interface", "s?"}, {"link", "s?"}});
  for (const auto& result : json["results"]) {
    check_result(result);
  }
  check_local(json["local"]);
  check_keys(json["timeline"], {{"bin_ns", "i"}, {"bins", "a"}});
  for (const auto& bin : json["timeline"]["bins"]) {
    check_keys(bin,
               {{"t_ns", "i"}, {"sent", "i"}, {"answered", "i"}, {"lost", "i"}, {"rtt_p50", "i?"}, {"rtt_p99", "i?"}});
  }
  for (const auto& finding : json["findings"]) {
    check_keys(finding, {{"kind", "s"},
                         {"severity", "s"},
                         {"summary", "s"},
                         {"p_value", "n?"},
                         {"evidence", "o"},
                         {"result", "i"},
                         {"details", "t"},
                         {"next_steps", "t"},
                         {"ports", "l"}});
  }
}

ordered_json parsed(const samples::Sample& sample, const JsonOptions& options = {}) {
  const std::string text = to_json(sample.document(), options);
  REQUIRE(text.ends_with("}\n"));
  return ordered_json::parse(text);
}

}  // namespace

TEST_CASE("JSON: golden files", "[report][json][golden]") {
  golden::check("bad_queue.json", to_json(samples::bad_queue().document(), {.per_port = true}));
  golden::check("nothing_wrong.json", to_json(samples::nothing_wrong().document(), {}));
  golden::check("no_destination.json", to_json(samples::no_destination().document(), {}));
  golden::check("dead_target.json", to_json(samples::dead_target().document(), {}));
}

TEST_CASE("JSON: every key has its place and type in every kind of run", "[report][json]") {
  for (const auto& sample :
       {samples::nothing_wrong(), samples::bad_queue(), samples::many_queues(), samples::dead_target(),
        samples::icmp_one_queue(), samples::udp_one_queue(), samples::several_ports(), samples::sixty_destinations(),
        samples::interrupted(), samples::capture_drops(), samples::not_sent(), samples::loopback(),
        samples::no_destination()}) {
    for (const bool per_port : {false, true}) {
      const ordered_json json = parsed(sample, {.per_port = per_port});
      check_document(json);
      CHECK(json["results"].size() == sample.result.destinations.size());
    }
  }
}

TEST_CASE("JSON: the numbers are those of the result", "[report][json]") {
  const ordered_json json = parsed(samples::bad_queue(), {.per_port = true});
  CHECK(json["started"] == "2024-05-01T12:00:00.123Z");
  CHECK(json["config"]["seed"] == 4711);
  CHECK(json["config"]["source-ports"] == "40960-43007");
  CHECK(json["config"]["rss-queues"] == 8);
  CHECK(json["source"]["interface"] == "eth0");
  CHECK(json["source"]["link"] == "ethernet");
  const ordered_json& result = json["results"][0];
  CHECK(result["loss_ratio"] == 0.0063);
  CHECK(result["rtt_ns"]["p99"] == 210300);
  CHECK(result["remote_queues"]["basis"] == "web7.txt");
  CHECK(result["remote_queues"]["queues"][3]["lost"] == 63);
  CHECK(result["source_ports"]["ports"].size() == 4);
  CHECK(json["findings"][0]["evidence"]["queues"] == std::vector<int>{3});
  CHECK(json["findings"][0]["p_value"] == 2.5e-58);
}

TEST_CASE("JSON: the largest counters and times come through whole", "[report][json]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.plan.seed = 0xffff'ffff'ffff'ffffULL;
  sample.result.destinations.front().sent = 0xffff'ffff'ffff'fffeULL;
  sample.result.elapsed_ns = 0x7fff'ffff'ffff'ffffLL;
  const ordered_json json = parsed(sample);
  CHECK(json["config"]["seed"].get<std::uint64_t>() == 0xffff'ffff'ffff'ffffULL);
  CHECK(json["results"][0]["sent"].get<std::uint64_t>() == 0xffff'ffff'ffff'fffeULL);
  CHECK(json["elapsed_ns"].get<std::int64_t>() == 0x7fff'ffff'ffff'ffffLL);
}

TEST_CASE("JSON: names from outside are escaped, broken UTF-8 is replaced", "[report][json]") {
  samples::Sample sample = samples::bad_queue();
  sample.result.destinations.front().target = "a\"\\\n\x01\xff";
  sample.plan.rss_source = "\xc3(";
  sample.notes = {"\xed\xa0\x80"};
  const ordered_json json = parsed(sample);
  CHECK(json["results"][0]["target"] == "a\"\\\n\x01\xef\xbf\xbd");
  check_document(json);
}

TEST_CASE("JSON: what isn't a number is null", "[report][json]") {
  samples::Sample sample = samples::bad_queue();
  sample.findings.front().evidence.emplace_back("ratio", std::nan(""));
  sample.findings.front().p_value = std::nullopt;
  const ordered_json json = parsed(sample);
  CHECK(json["findings"][0]["evidence"]["ratio"].is_null());
  CHECK(json["findings"][0]["p_value"].is_null());
}

TEST_CASE("JSON: sources that differ are told by each result", "[report][json]") {
  samples::Sample sample = samples::several_ports();
  sample.plan.destinations[1].source = samples::address("10.0.5.9");
  sample.plan.destinations[1].interface_name = "eth1";
  const ordered_json json = parsed(sample);
  CHECK(json["source"]["address"].is_null());
  CHECK(json["source"]["interface"].is_null());
  CHECK(json["results"][0]["source"]["address"] == "10.0.3.9");
  CHECK(json["results"][1]["source"]["interface"] == "eth1");
}

TEST_CASE("JSON: as fast as it goes is no rate", "[report][json]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.plan.rate_pps = 0.0;
  sample.result.local.rate_asked_pps = 0.0;
  const ordered_json json = parsed(sample);
  CHECK(json["config"]["rate"].is_null());
  CHECK(json["local"]["rate_pps"]["asked"].is_null());
}

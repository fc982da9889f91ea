// The JSON report: its top level, in the order of the schema.
#include "volley/report/json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "volley/report/document.h"
#include "volley/report/json_config.h"
#include "volley/report/json_result.h"
#include "volley/report/number.h"
#include "volley/report/timestamp.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kSchema = "volley.probe/1";
constexpr int kIndent = 2;

ordered_json results_json(const Document& document, const JsonOptions& options) {
  ordered_json results = ordered_json::array();
  for (std::uint32_t index = 0; index < document.result.destinations.size(); ++index) {
    results.push_back(result_json(document, index, options));
  }
  return results;
}

ordered_json not_sent_json(const stats::LocalResult& local) {
  ordered_json json;
  for (std::size_t i = 1; i < local.not_sent.size(); ++i) {
    json[std::string(key_of(static_cast<probe::NotSentReason>(i)))] = local.not_sent[i];
  }
  return json;
}

ordered_json local_json(const stats::LocalResult& local) {
  ordered_json json;
  json["rate_pps"] = {
      {"asked", local.rate_asked_pps > 0.0 ? ordered_json(rounded_ratio(local.rate_asked_pps)) : ordered_json()},
      {"achieved", rounded_ratio(local.rate_achieved_pps)}};
  json["sender_lag_ns"] = {
      {"p50", local.sender_lag.p50_ns}, {"p99", local.sender_lag.p99_ns}, {"max", local.sender_lag.max_ns}};
  json["capture_drops"] = local.capture_drops;
  json["interface_drops"] = local.interface_drops;
  json["send_errors"] = local.send_errors;
  json["foreign"] = local.receive.foreign;
  json["malformed"] = local.receive.malformed;
  json["skipped_ports"] = local.skipped_ports;
  json["not_sent"] = not_sent_json(local);
  json["frames"] = local.receive.frames;
  json["rtt_without_departure"] = local.receive.rtt_without_departure;
  json["resets_seen"] = local.receive.resets_seen;
  json["resets_expected"] = local.receive.resets_expected;
  json["clock_steps"] = local.receive.clock_steps;
  return json;
}

ordered_json optional_json(const std::optional<std::int64_t>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json timeline_json(const stats::Timeline& timeline) {
  ordered_json bins = ordered_json::array();
  for (const stats::TimelineBin& bin : timeline.bins) {
    ordered_json json;
    json["t_ns"] = bin.t_ns;
    json["sent"] = bin.sent;
    json["answered"] = bin.answered;
    json["lost"] = bin.lost;
    json["rtt_p50"] = optional_json(bin.rtt_p50_ns);
    json["rtt_p99"] = optional_json(bin.rtt_p99_ns);
    bins.push_back(std::move(json));
  }
  ordered_json json;
  json["bin_ns"] = timeline.bin_ns;
  json["bins"] = std::move(bins);
  return json;
}

struct EvidenceToJson {
  ordered_json operator()(std::int64_t value) const { return value; }
  ordered_json operator()(double value) const { return rounded_ratio(value); }
  ordered_json operator()(const std::string& value) const { return value; }
  ordered_json operator()(const std::vector<std::int64_t>& value) const { return value; }
};

ordered_json finding_json(const diagnosis::Finding& finding) {
  ordered_json evidence = ordered_json::object();
  for (const auto& [name, value] : finding.evidence) {
    evidence[name] = std::visit(EvidenceToJson{}, value);
  }
  ordered_json json;
  json["kind"] = diagnosis::to_string(finding.kind);
  json["severity"] = diagnosis::to_string(finding.severity);
  json["summary"] = finding.summary;
  json["p_value"] = finding.p_value ? ordered_json(rounded_ratio(*finding.p_value)) : ordered_json();
  json["evidence"] = std::move(evidence);
  json["result"] = finding.destination;
  json["details"] = finding.details;
  json["next_steps"] = finding.next_steps;
  json["ports"] = finding.ports;
  return json;
}

ordered_json findings_json(const std::vector<diagnosis::Finding>& findings) {
  ordered_json json = ordered_json::array();
  for (const diagnosis::Finding& finding : findings) {
    json.push_back(finding_json(finding));
  }
  return json;
}

}  // namespace

std::string to_json(const Document& document, const JsonOptions& options) {
  ordered_json json;
  json["schema"] = kSchema;
  json["version"] = document.version;
  json["interrupted"] = document.result.interrupted;
  json["started"] = rfc3339(document.result.started_ns);
  json["elapsed_ns"] = document.result.elapsed_ns;
  json["config"] = config_json(document.plan);
  json["source"] = source_json(document);
  json["results"] = results_json(document, options);
  json["local"] = local_json(document.result.local);
  json["timeline"] = timeline_json(document.result.timeline);
  json["findings"] = findings_json(document.findings);
  json["notes"] = document.notes;
  // Names come from outside: what isn't UTF-8 is replaced, never refused.
  return json.dump(kIndent, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace volley::report

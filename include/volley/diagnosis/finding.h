// A finding: one statement about what is wrong, with its evidence.
//
// Plain values; any thread. `evidence` holds named numbers for the JSON, in
// the order in which they are printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace volley::diagnosis {

// The kinds of DESIGN section 7; their JSON names are the enumerators.
enum class FindingKind : std::uint8_t {
  queue_loss,
  queue_slow,
  flow_bound_loss,
  flow_bound_slow,
  rss_mismatch,
  stall,
  uniform_loss,
  reply_limited,
  local_drops,
  no_answer,
  loss_direction,
  not_enough_probes,
};

std::string_view to_string(FindingKind kind);

enum class Severity : std::uint8_t { info, warning, critical };

std::string_view to_string(Severity severity);

using EvidenceValue = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

struct Finding {
  FindingKind kind = FindingKind::not_enough_probes;
  Severity severity = Severity::info;
  std::string summary;                  // one line without a full stop: what is wrong
  std::vector<std::string> details;     // further sentences of evidence, a line each
  std::vector<std::string> next_steps;  // what to run or to look at; "try ..." or "look ..."
  std::optional<double> p_value;
  std::uint32_t destination = 0;  // index into RunResult::destinations
  std::vector<std::pair<std::string, EvidenceValue>> evidence;
  std::vector<std::uint16_t> ports;  // source ports that reproduce it, a few, ascending
};

}  // namespace volley::diagnosis

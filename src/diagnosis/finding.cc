// The names of findings and severities in text and JSON. Pure; any thread.
#include "volley/diagnosis/finding.h"

namespace volley::diagnosis {

std::string_view to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::queue_loss:
      return "queue_loss";
    case FindingKind::queue_slow:
      return "queue_slow";
    case FindingKind::flow_bound_loss:
      return "flow_bound_loss";
    case FindingKind::flow_bound_slow:
      return "flow_bound_slow";
    case FindingKind::rss_mismatch:
      return "rss_mismatch";
    case FindingKind::stall:
      return "stall";
    case FindingKind::uniform_loss:
      return "uniform_loss";
    case FindingKind::reply_limited:
      return "reply_limited";
    case FindingKind::local_drops:
      return "local_drops";
    case FindingKind::no_answer:
      return "no_answer";
    case FindingKind::loss_direction:
      return "loss_direction";
    case FindingKind::not_enough_probes:
      return "not_enough_probes";
  }
  return {};
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::critical:
      return "critical";
  }
  return {};
}

}  // namespace volley::diagnosis

// The CSV report: RFC 4180, a row for each destination or source port.
#include "volley/report/csv.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "volley/report/document.h"
#include "volley/report/number.h"
#include "volley/report/timestamp.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

// One column: its name, and its value for a row.
template <typename Row>
struct Field {
  std::string_view name;
  std::string (*value)(const Row& row);
};

struct DestinationRow {
  const Document& document;
  const stats::DestinationResult& destination;
};

struct PortRow {
  const Document& document;
  std::uint32_t index;
  const stats::PortResult& port;

  const stats::DestinationResult& destination() const { return document.result.destinations[index]; }
};

// RFC 4180 section 2, rules 5 to 7.
std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string result = "\"";
  for (const char letter : text) {
    result += letter == '"' ? "\"\"" : std::string(1, letter);
  }
  return result + "\"";
}

std::string number(std::uint64_t value) {
  return fmt::format("{}", value);
}

std::string ns_if(bool is_known, std::int64_t value) {
  return is_known ? fmt::format("{}", value) : std::string();
}

std::string ratio_if(bool is_known, double value) {
  return is_known ? fmt::format("{}", rounded_ratio(value)) : std::string();
}

std::string port_number(const Document& document, const stats::DestinationResult& destination) {
  return document.plan.protocol == probe::Protocol::icmp ? std::string() : number(destination.port);
}

using D = DestinationRow;

bool has_end(const D& row) {
  return row.destination.answered + row.destination.lost > 0;
}

bool has_rtt(const D& row) {
  return row.destination.rtt.count > 0;
}

constexpr Field<D> kDestinationFields[] = {
    {"started", [](const D& row) { return rfc3339(row.document.result.started_ns); }},
    {"interrupted", [](const D& row) { return std::string(row.document.result.interrupted ? "true" : "false"); }},
    {"target", [](const D& row) { return row.destination.target; }},
    {"address", [](const D& row) { return wire::to_string(row.destination.address); }},
    {"protocol", [](const D& row) { return std::string(to_string(row.document.plan.protocol)); }},
    {"port", [](const D& row) { return port_number(row.document, row.destination); }},
    {"sent", [](const D& row) { return number(row.destination.sent); }},
    {"answered", [](const D& row) { return number(row.destination.answered); }},
    {"lost", [](const D& row) { return number(row.destination.lost); }},
    {"late", [](const D& row) { return number(row.destination.late); }},
    {"duplicates", [](const D& row) { return number(row.destination.duplicates); }},
    {"reordered", [](const D& row) { return number(row.destination.reordered); }},
    {"not_sent", [](const D& row) { return number(row.destination.not_sent); }},
    {"in_flight", [](const D& row) { return number(row.destination.in_flight); }},
    {"stale_half_open", [](const D& row) { return number(row.destination.stale_half_open); }},
    {"loss_ratio", [](const D& row) { return ratio_if(has_end(row), row.destination.loss.value); }},
    {"loss_ci95_low", [](const D& row) { return ratio_if(has_end(row), row.destination.loss.low); }},
    {"loss_ci95_high", [](const D& row) { return ratio_if(has_end(row), row.destination.loss.high); }},
    {"lost_forward", [](const D& row) { return number(row.destination.direction.forward); }},
    {"lost_reverse", [](const D& row) { return number(row.destination.direction.reverse); }},
    {"lost_unknown", [](const D& row) { return number(row.destination.direction.unknown); }},
    {"rtt_count", [](const D& row) { return number(row.destination.rtt.count); }},
    {"rtt_min_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.min_ns); }},
    {"rtt_mean_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.mean_ns); }},
    {"rtt_stddev_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.stddev_ns); }},
    {"rtt_p50_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.p50_ns); }},
    {"rtt_p90_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.p90_ns); }},
    {"rtt_p99_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.p99_ns); }},
    {"rtt_p999_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.p999_ns); }},
    {"rtt_max_ns", [](const D& row) { return ns_if(has_rtt(row), row.destination.rtt.max_ns); }},
    {"jitter_ns", [](const D& row) { return ns_if(row.destination.rtt.count > 1, row.destination.jitter_ns); }},
    {"capture_drops", [](const D& row) { return number(row.document.result.local.capture_drops); }},
};

using P = PortRow;

bool has_rtt(const P& row) {
  return row.port.rtt_count > 0;
}

std::string queue_of(const P& row) {
  const probe::ProbePlan& plan = row.document.plan;
  if (!plan.rss || row.index >= plan.destinations.size()) {
    return {};
  }
  return number(probe::remote_queue(plan, plan.destinations[row.index], row.port.port));
}

constexpr Field<P> kPortFields[] = {
    {"started", [](const P& row) { return rfc3339(row.document.result.started_ns); }},
    {"interrupted", [](const P& row) { return std::string(row.document.result.interrupted ? "true" : "false"); }},
    {"target", [](const P& row) { return row.destination().target; }},
    {"address", [](const P& row) { return wire::to_string(row.destination().address); }},
    {"protocol", [](const P& row) { return std::string(to_string(row.document.plan.protocol)); }},
    {"port", [](const P& row) { return port_number(row.document, row.destination()); }},
    {"source_port", [](const P& row) { return number(row.port.port); }},
    {"remote_queue", queue_of},
    {"sent", [](const P& row) { return number(row.port.sent); }},
    {"answered", [](const P& row) { return number(row.port.answered); }},
    {"lost", [](const P& row) { return number(row.port.lost); }},
    {"lost_reverse", [](const P& row) { return number(row.port.reverse); }},
    {"slow", [](const P& row) { return number(row.port.slow); }},
    {"rtt_count", [](const P& row) { return number(row.port.rtt_count); }},
    {"rtt_min_ns", [](const P& row) { return ns_if(has_rtt(row), row.port.rtt_min_ns); }},
    {"rtt_mean_ns", [](const P& row) { return ns_if(has_rtt(row), row.port.rtt_mean_ns); }},
    {"rtt_max_ns", [](const P& row) { return ns_if(has_rtt(row), row.port.rtt_max_ns); }},
};

template <typename Row, std::size_t count>
void append_header(std::string& text, const Field<Row> (&fields)[count]) {
  for (std::size_t i = 0; i < count; ++i) {
    text += i == 0 ? "" : ",";
    text += fields[i].name;
  }
  text += "\r\n";
}

template <typename Row, std::size_t count>
void append_row(std::string& text, const Field<Row> (&fields)[count], const Row& row) {
  for (std::size_t i = 0; i < count; ++i) {
    text += i == 0 ? "" : ",";
    text += quoted(fields[i].value(row));
  }
  text += "\r\n";
}

}  // namespace

std::string to_csv(const Document& document, const CsvOptions& options) {
  std::string text;
  if (!options.per_port) {
    append_header(text, kDestinationFields);
    for (const stats::DestinationResult& destination : document.result.destinations) {
      append_row(text, kDestinationFields, {document, destination});
    }
    return text;
  }
  append_header(text, kPortFields);
  for (std::uint32_t index = 0; index < document.result.destinations.size(); ++index) {
    for (const stats::PortResult& port : document.result.destinations[index].ports) {
      append_row(text, kPortFields, {document, index, port});
    }
  }
  return text;
}

}  // namespace volley::report

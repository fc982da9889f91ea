// Source ports in the text report; see the header.
#include "volley/report/source_port_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "volley/report/table.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

using stats::PortResult;

constexpr std::size_t kMostWorst = 8;
constexpr std::size_t kTableIndent = 8;

// Compares lost/(answered + lost) exactly, in integers.
bool is_worse(const PortResult& a, const PortResult& b) {
  __extension__ using Wide = unsigned __int128;
  const Wide a_side = Wide{a.lost} * (b.answered + b.lost);
  const Wide b_side = Wide{b.lost} * (a.answered + a.lost);
  if (a_side != b_side) {
    return a_side > b_side;
  }
  return a.lost != b.lost ? a.lost > b.lost : a.port < b.port;
}

}  // namespace

void write_worst_ports(Page& page, const stats::DestinationResult& destination) {
  std::vector<PortResult> lossy;
  for (const PortResult& port : destination.ports) {
    if (port.lost > 0) {
      lossy.push_back(port);
    }
  }
  if (lossy.empty() || destination.answered == 0) {
    return;
  }
  std::sort(lossy.begin(), lossy.end(), is_worse);
  std::vector<std::string> fields{fmt::format("{} of {} lost probes{}", lossy.size(),
                                              counted(destination.ports.size(), "source port", "source ports"),
                                              lossy.size() > kMostWorst ? ", the worst:" : ":")};
  for (std::size_t i = 0; i < std::min(kMostWorst, lossy.size()); ++i) {
    fields.push_back(fmt::format("{} {} of {}", lossy[i].port, lossy[i].lost, lossy[i].answered + lossy[i].lost));
  }
  page.labelled_fields("ports", fields);
}

void write_all_ports(Page& page, const TextContext& context, std::uint32_t index) {
  const stats::DestinationResult& destination = context.document.result.destinations[index];
  const probe::ProbePlan& plan = context.document.plan;
  if (plan.protocol == probe::Protocol::icmp) {
    return;
  }
  page.blank();
  if (destination.ports.empty()) {
    page.labelled("ports", "no records: this run has more ports and destinations than are kept one by one");
    return;
  }
  const bool has_queue = plan.rss.has_value() && index < plan.destinations.size();
  std::vector<Column> columns{{"port"}};
  if (has_queue) {
    columns.push_back({"queue"});
  }
  const std::string unit = " " + context.scale.unit();
  for (const std::string& header : {std::string("sent"), std::string("answered"), std::string("lost"),
                                    std::string("slow"), "min" + unit, "mean" + unit, "max" + unit}) {
    columns.push_back({header});
  }
  Table table(std::move(columns));
  for (const PortResult& port : destination.ports) {
    std::vector<std::string> cells{fmt::format("{}", port.port)};
    if (has_queue) {
      cells.push_back(fmt::format("{}", probe::remote_queue(plan, plan.destinations[index], port.port)));
    }
    for (const std::uint64_t count : {port.sent, port.answered, port.lost, port.slow}) {
      cells.push_back(fmt::format("{}", count));
    }
    for (const std::int64_t rtt_ns : {port.rtt_min_ns, port.rtt_mean_ns, port.rtt_max_ns}) {
      cells.push_back(quantile_text(context.scale, port.rtt_count, 1, rtt_ns));
    }
    table.add_row(std::move(cells), Style::plain, port.lost > 0 ? '!' : ' ');
  }
  page.labelled("ports", fmt::format("source ports; slow: replies above {} {}",
                                     context.scale.format(destination.slow_threshold_ns), context.scale.unit()));
  table.write(page, kTableIndent);
}

}  // namespace volley::report

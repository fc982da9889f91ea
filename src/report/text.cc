// The text report: the order of its sections.
#include "volley/report/text.h"

#include <algorithm>
#include <cstdint>

#include "volley/report/destination_table.h"
#include "volley/report/document.h"
#include "volley/report/finding_text.h"
#include "volley/report/headline.h"
#include "volley/report/page.h"
#include "volley/report/queue_table.h"
#include "volley/report/source_port_text.h"
#include "volley/report/text_context.h"
#include "volley/report/totals.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

// With more destinations than these, only those with a finding get details.
constexpr std::size_t kMostDetailed = 4;

bool has_finding(const TextContext& context, std::uint32_t index) {
  const auto& findings = context.document.findings;
  return std::any_of(findings.begin(), findings.end(), [&](const diagnosis::Finding& finding) {
    return finding.destination == index && finding.severity != diagnosis::Severity::info;
  });
}

void write_details(Page& page, const TextContext& context, std::uint32_t index) {
  write_remote_queues(page, context, index);
  write_local_queues(page, context, index);
  if (context.options.per_port) {
    write_all_ports(page, context, index);
  }
}

void write_single(Page& page, const TextContext& context) {
  const stats::DestinationResult& destination = context.document.result.destinations.front();
  write_totals(page, context, destination);
  if (!context.options.quiet && !context.options.per_port && destination.remote_queues.empty()) {
    write_worst_ports(page, destination);
  }
  write_notes(page, context);
  if (!context.options.quiet) {
    write_details(page, context, 0);
  }
}

void write_several(Page& page, const TextContext& context) {
  const auto& destinations = context.document.result.destinations;
  write_run_totals(page, context);
  write_notes(page, context);
  write_destination_table(page, context);
  if (context.options.quiet) {
    return;
  }
  for (std::uint32_t index = 0; index < destinations.size(); ++index) {
    if (destinations.size() > kMostDetailed && !context.options.per_port && !has_finding(context, index)) {
      continue;
    }
    const stats::DestinationResult& destination = destinations[index];
    Page details(context.options);
    write_details(details, context, index);
    const std::string text = details.take();
    if (!text.empty()) {
      page.blank();
      page.line(
          page.styled(Style::strong, page.printable(host_text(destination) + " " +
                                                    service_text(context.document.plan.protocol, destination.port))));
      page.append(text);
    }
  }
}

}  // namespace

std::string to_text(const Document& document, const TextOptions& options) {
  const TextContext context{document, options, scale_for(document.result.destinations)};
  Page page(options);
  write_headline(page, context);
  if (document.result.destinations.size() == 1) {
    write_single(page, context);
  } else {
    write_several(page, context);
  }
  write_findings(page, context);
  return page.take();
}

}  // namespace volley::report

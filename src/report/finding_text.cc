// Notes and findings as text; see the header.
#include "volley/report/finding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "volley/diagnosis/shortage.h"
#include "volley/report/queue_table.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::string_view kTry = "try ";

Style style_of(diagnosis::Severity severity) {
  switch (severity) {
    case diagnosis::Severity::info:
      return Style::strong;
    case diagnosis::Severity::warning:
      return Style::warning;
    case diagnosis::Severity::critical:
      return Style::bad;
  }
  return Style::plain;
}

// The word says it without colour: information is no finding of a fault.
std::string_view word_of(diagnosis::Severity severity) {
  return severity == diagnosis::Severity::info ? "NOTE" : "FINDING";
}

// "tcp/443: " where a run has several destinations and the summary doesn't name it.
std::string place_of(const TextContext& context, const diagnosis::Finding& finding) {
  const auto& destinations = context.document.result.destinations;
  if (destinations.size() < 2 || finding.destination >= destinations.size()) {
    return {};
  }
  const stats::DestinationResult& destination = destinations[finding.destination];
  if (finding.summary.find(wire::to_string(destination.address)) != std::string::npos) {
    return {};
  }
  return fmt::format("{} {}: ", host_text(destination), service_text(context.document.plan.protocol, destination.port));
}

void write_step(Page& page, std::string_view step) {
  const std::size_t space = step.find(' ');
  const std::string_view label = step.substr(0, std::min(space, step.size()));
  std::string_view text = space == std::string_view::npos ? std::string_view() : step.substr(space + 1);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (step.starts_with(kTry)) {
    page.line(fmt::format("  {:<9}{}", label, text));
  } else if (label == "look") {
    page.labelled(label, text);
  } else {
    page.paragraph(kIndent, kIndent, step);
  }
}

// Some findings name their ports in a sentence or in a command to try.
bool mentions(const diagnosis::Finding& finding, const std::string& text) {
  const auto has_text = [&](const std::string& line) { return line.find(text) != std::string::npos; };
  return std::any_of(finding.details.begin(), finding.details.end(), has_text) ||
         std::any_of(finding.next_steps.begin(), finding.next_steps.end(), has_text);
}

// What this run would have seen, where that can be said of one destination.
std::string no_finding_text(const TextContext& context) {
  const stats::RunResult& result = context.document.result;
  const bool was_sent = std::any_of(result.destinations.begin(), result.destinations.end(),
                                    [](const stats::DestinationResult& row) { return row.sent > 0; });
  if (!was_sent) {
    return "  nothing was sent, so nothing was measured";
  }
  const bool can_tell = result.destinations.size() == 1 && !is_hashed_on_addresses(context.document.plan);
  const std::string limit =
      can_tell ? diagnosis::would_have_shown(context.document.plan, result.destinations.front()) : std::string();
  return limit.empty() ? "  no finding" : "  no finding: " + limit + "; a longer run sees rarer loss, like -d 1m";
}

void write_finding(Page& page, const TextContext& context, const diagnosis::Finding& finding) {
  const std::string_view word = word_of(finding.severity);
  const std::string summary = page.printable(place_of(context, finding) + finding.summary);
  page.paragraph(0, word.size() + 1, fmt::format("{} {}", page.styled(style_of(finding.severity), word), summary));
  for (const std::string& detail : finding.details) {
    page.paragraph(kIndent, kIndent, page.printable(detail));
  }
  for (const std::string& step : finding.next_steps) {
    write_step(page, page.printable(step));
  }
  const std::string ports = fmt::format("{}", fmt::join(finding.ports, " "));
  if (!ports.empty() && !mentions(finding, ports) &&
      !mentions(finding, fmt::format("{}", fmt::join(finding.ports, ",")))) {
    page.labelled("ports", ports);
  }
}

}  // namespace

void write_notes(Page& page, const TextContext& context) {
  for (const std::string& note : context.document.notes) {
    page.labelled("note", page.printable(note));
  }
}

void write_findings(Page& page, const TextContext& context) {
  if (page.has_sections() || !context.document.findings.empty()) {
    page.blank();
  }
  if (context.document.findings.empty()) {
    page.paragraph(kIndent, kIndent, no_finding_text(context));
  }
  for (const diagnosis::Finding& finding : context.document.findings) {
    write_finding(page, context, finding);
  }
}

}  // namespace volley::report

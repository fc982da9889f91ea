// Findings as text: commands stay whole, words tell severity, nothing twice.
#include "volley/report/finding_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "samples.h"

using namespace volley::report;
namespace diagnosis = volley::diagnosis;

namespace {

std::string findings_of(const samples::Sample& sample, const TextOptions& options = {}) {
  const Document document = sample.document();
  Page page(options);
  write_findings(page, {document, options, RttScale{}});
  return page.take();
}

}  // namespace

TEST_CASE("a command to try is one line, however long", "[report][finding_text]") {
  samples::Sample sample = samples::bad_queue();
  const std::string command = "sudo volley probe " + std::string(300, 'x') + " --queue 3 web7:443";
  sample.findings.front().next_steps = {"try " + command};
  CHECK(findings_of(sample).find("\n  try      " + command + "\n") != std::string::npos);
}

TEST_CASE("ports are not printed twice", "[report][finding_text]") {
  samples::Sample sample = samples::bad_queue();
  CHECK(findings_of(sample).find("  ports    41017 41211 41830 42204\n") != std::string::npos);
  sample.findings.front().details.emplace_back("source ports of queue 3: 41017 41211 41830 42204");
  CHECK(findings_of(sample).find("  ports ") == std::string::npos);
  sample.findings.front().details.clear();
  sample.findings.front().next_steps = {"try volley probe --source-ports 41017,41211,41830,42204 web7:443"};
  CHECK(findings_of(sample).find("  ports ") == std::string::npos);
}

TEST_CASE("information is a note, not a finding", "[report][finding_text]") {
  samples::Sample sample = samples::bad_queue();
  CHECK(findings_of(sample).starts_with("FINDING queue 3 loses packets\n"));
  sample.findings.front().severity = diagnosis::Severity::info;
  CHECK(findings_of(sample).starts_with("NOTE queue 3 loses packets\n"));
}

TEST_CASE("with several destinations a finding names its own", "[report][finding_text]") {
  samples::Sample sample = samples::several_ports();
  CHECK(findings_of(sample).starts_with("NOTE web7 (10.0.3.7) tcp/443: 25 of 2500"));
  sample.findings.front().summary = "no answer from 10.0.3.7 on tcp/443";
  CHECK(findings_of(sample).starts_with("NOTE no answer from 10.0.3.7 on tcp/443\n"));
}

TEST_CASE("no finding is said, and what it means where that is known", "[report][finding_text]") {
  samples::Sample sample = samples::nothing_wrong();
  CHECK(findings_of(sample).starts_with("  no finding: at this length"));
  sample = samples::icmp_one_queue();
  CHECK(findings_of(sample) == "  no finding\n");
  sample = samples::not_sent();
  CHECK(findings_of(sample) == "  nothing was sent, so nothing was measured\n");
}

TEST_CASE("no escape sequence of a finding reaches the terminal", "[report][finding_text]") {
  samples::Sample sample = samples::bad_queue();
  sample.findings.front().summary = "\x1b[2Jqueue";
  sample.findings.front().details = {"\x1b[2J"};
  sample.findings.front().next_steps = {"try \x1b[2J", "look \x1b[2J", "\x1b[2J"};
  CHECK(findings_of(sample).find('\x1b') == std::string::npos);
}

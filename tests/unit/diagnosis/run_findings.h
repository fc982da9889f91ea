// Looking into the findings of a run, for the tests of diagnosis. One thread.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "volley/diagnosis/finding.h"

namespace volley::diagnosis::test {

inline bool has(const std::vector<Finding>& findings, FindingKind kind) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; });
}

inline const Finding& get(const std::vector<Finding>& findings, FindingKind kind) {
  const auto place = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == kind; });
  REQUIRE(place != findings.end());
  return *place;
}

template <typename T>
T evidence(const Finding& finding, const std::string& name) {
  for (const auto& [key, value] : finding.evidence) {
    if (key == name) return std::get<T>(value);
  }
  FAIL("no evidence " << name);
  return {};
}

inline std::string all_text(const Finding& finding) {
  std::string text = finding.summary;
  for (const auto& line : finding.details) text += "\n  " + line;
  for (const auto& line : finding.next_steps) text += "\n  " + line;
  return text + "\n";
}

}  // namespace volley::diagnosis::test

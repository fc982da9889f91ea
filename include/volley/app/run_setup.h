// From the options of a probing command to a checked plan: names resolved,
// routes asked, ports held by others left out, RSS read.
//
// Main thread, before any other is started. Needs no capability.
#pragma once

#include <iosfwd>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "volley/app/options.h"
#include "volley/probe/plan.h"
#include "volley/rss/config.h"

namespace volley::app {

// Ends a command: each line of text goes to standard error behind "volley: ".
class CommandError : public std::runtime_error {
 public:
  CommandError(int exit_status, std::vector<std::string> lines);
  int exit_status() const { return exit_status_; }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  int exit_status_;
  std::vector<std::string> lines_;
};

struct KnownRss {
  rss::RssConfig config;
  std::string source;              // what the user named
  std::vector<std::string> notes;  // what the user should know about it
};

// nullopt if nothing was given; throws CommandError. `in` is read for "-".
std::optional<KnownRss> read_rss(const RssChoice& choice, std::istream& in);

struct RunSetup {
  probe::ProbePlan plan;
  std::vector<std::string> notes;
};

// Throws CommandError or net::SetupError.
RunSetup set_up_run(const ProbeOptions& options, std::istream& in);

}  // namespace volley::app

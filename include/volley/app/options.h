// The command line as values. options.cc is the only file that includes CLI11.
//
// Invariant: what parse_options returns is well-formed by itself; conflicts
// between settings are the plan's to find. Start-up thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "volley/app/rss_command.h"
#include "volley/probe/plan.h"

namespace volley::app {

enum class FamilyChoice : std::uint8_t { any, v4, v6 };
enum class When : std::uint8_t { automatic, always, never };

// How the target's RSS was given.
struct RssChoice {
  std::optional<std::string> source;  // --rss FILE or -
  std::optional<std::string> key;     // --rss-key HEX or NAME
  std::optional<std::uint32_t> queues;
  std::optional<std::uint32_t> table_size;
};

// Where results go and how they look.
struct OutputOptions {
  std::optional<std::string> json;  // a file, or "-" for standard output
  std::optional<std::string> csv;
  bool per_port = false;
  bool quiet = false;
  bool verbose = false;
  bool numeric = false;
  When colour = When::automatic;
  When progress = When::automatic;
};

struct ProbeOptions {
  std::vector<std::string> targets;
  std::optional<std::string> targets_file;
  std::vector<std::uint16_t> ports;
  probe::PlanRequest request;  // all but destinations, held ports and RSS
  bool seed_given = false;
  RssChoice rss;
  FamilyChoice family = FamilyChoice::any;
  bool all_addresses = false;
  std::optional<std::string> interface_name;
  std::optional<std::string> source_address;
  std::optional<std::uint32_t> mark;
  bool spin = false;
  std::optional<std::string> write_file;
  OutputOptions output;
};

struct ReadOptions {
  std::string file;
  std::optional<probe::Protocol> protocol;
  std::optional<std::string> target;  // of several in the file, this one alone
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  RssChoice rss;
  OutputOptions output;
};

// --help or --version: print this on standard output and exit with 0.
struct Information {
  std::string text;
};

// One line for standard error; exit status 2.
struct UsageError {
  std::string text;
};

using Command = std::variant<ProbeOptions, ReadOptions, RssCommandOptions, Information, UsageError>;

Command parse_options(int argument_count, const char* const* arguments);

}  // namespace volley::app

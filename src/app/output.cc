// Writes results to standard output and files (see the header).
#include "volley/app/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "volley/app/exit_status.h"
#include "volley/app/run_setup.h"
#include "volley/net/terminal.h"

namespace volley::app {
namespace {

bool wants_colour(When when, const net::Terminal& terminal) {
  switch (when) {
    case When::always:
      return true;
    case When::never:
      return false;
    case When::automatic:
      return terminal.is_stdout_terminal && !terminal.is_dumb && !terminal.is_colour_unwanted;
  }
  return false;
}

report::TextOptions text_options(const OutputOptions& options) {
  // Wider pages are no easier to read, and narrower ones can't hold the tables.
  constexpr std::size_t kNarrowest = 80;
  constexpr std::size_t kWidest = 100;
  const net::Terminal terminal = net::read_terminal();
  report::TextOptions text;
  text.colour = wants_colour(options.colour, terminal);
  text.charset = terminal.is_utf8 ? report::Charset::utf8 : report::Charset::ascii;
  text.width = kWidest;
  if (terminal.is_stdout_terminal) text.width = std::clamp<std::size_t>(terminal.columns, kNarrowest, kWidest);
  text.per_port = options.per_port;
  text.quiet = options.quiet;
  return text;
}

}  // namespace

Output::Output(const OutputOptions& options)
    : options_(options),
      text_options_(text_options(options)),
      json_to_stdout_(options.json == "-"),
      csv_to_stdout_(options.csv == "-") {
  if (json_to_stdout_ && csv_to_stdout_) {
    throw CommandError(exit_status::kUsage,
                       {"--json and --csv both want standard output: give one of them a file, like --csv=FILE"});
  }
  if (options.verbose && is_machine_readable()) {
    throw CommandError(exit_status::kUsage, {"--verbose goes to standard output, which --json and --csv want alone: "
                                             "give them a file, like --json=FILE"});
  }
  if (options.json && !json_to_stdout_) json_file_ = open(*options.json, "--json");
  if (options.csv && !csv_to_stdout_) csv_file_ = open(*options.csv, "--csv");
}

Output::File Output::open(const std::string& path, std::string_view option) {
  File file(std::fopen(path.c_str(), "w"));
  if (!file) {
    throw CommandError(exit_status::kCouldNotMeasure,
                       {fmt::format("{}={}: cannot make the file: {}", option, path, std::strerror(errno))});
  }
  return file;
}

void Output::write_file(File& file, const std::string& text, const std::string& path) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  int error = is_written ? 0 : errno;
  if (std::fclose(file.release()) != 0 && error == 0) error = errno;
  if (error != 0) {
    throw CommandError(exit_status::kCouldNotMeasure, {fmt::format("write {}: {}", path, std::strerror(error))});
  }
}

bool Output::write_stdout(std::string_view text) {
  errno = 0;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!is_written && errno != EPIPE) {
    throw CommandError(exit_status::kCouldNotMeasure,
                       {fmt::format("write to standard output: {}", std::strerror(errno))});
  }
  return is_written;
}

void Output::write_text(const report::Document& document) const {
  const std::string text = report::to_text(document, text_options_);
  if (is_machine_readable()) {
    std::fwrite(text.data(), 1, text.size(), stderr);
  } else {
    write_stdout(text);
  }
}

void Output::write(const report::Document& document) {
  const report::JsonOptions json_options{.per_port = options_.per_port};
  const report::CsvOptions csv_options{.per_port = options_.per_port};
  // A file that can't be written must not cost the other results.
  std::vector<std::string> errors;
  const auto attempt = [&errors](auto&& write_one) {
    try {
      write_one();
    } catch (const CommandError& error) {
      errors.insert(errors.end(), error.lines().begin(), error.lines().end());
    }
  };
  if (json_file_) attempt([&] { write_file(json_file_, report::to_json(document, json_options), *options_.json); });
  if (csv_file_) attempt([&] { write_file(csv_file_, report::to_csv(document, csv_options), *options_.csv); });
  attempt([&] {
    if (json_to_stdout_) {
      write_stdout(report::to_json(document, json_options));
    } else if (csv_to_stdout_) {
      write_stdout(report::to_csv(document, csv_options));
    } else {
      write_text(document);
    }
  });
  if (!errors.empty()) throw CommandError(exit_status::kCouldNotMeasure, std::move(errors));
}

}  // namespace volley::app

// Where a command's results go: standard output and the files of --json=FILE
// and --csv=FILE.
//
// Invariant: files are opened before the run, so that a bad path costs no
// measurement; one thing only goes to standard output. Main thread.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "volley/app/options.h"
#include "volley/report/document.h"

namespace volley::app {

class Output {
 public:
  // Throws CommandError: two results for standard output, a file that can't be made.
  explicit Output(const OutputOptions& options);

  // Standard output carries JSON or CSV, so no text goes there.
  bool is_machine_readable() const { return json_to_stdout_ || csv_to_stdout_; }

  // The text report alone, on standard output, or on standard error when that
  // is taken (a summary in the middle of a run).
  void write_text(const report::Document& document) const;

  // Everything that was asked for. Throws CommandError if it can't be written;
  // a reader that went away is no error.
  void write(const report::Document& document);

  // For -v lines and texts of other commands. False if the reader went away.
  static bool write_stdout(std::string_view text);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;

  static File open(const std::string& path, std::string_view option);
  static void write_file(File& file, const std::string& text, const std::string& path);

  OutputOptions options_;
  report::TextOptions text_options_;
  bool json_to_stdout_ = false;
  bool csv_to_stdout_ = false;
  File json_file_;
  File csv_file_;
};

}  // namespace volley::app

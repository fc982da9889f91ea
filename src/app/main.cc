// volley's main: the one place that catches, and that knows the commands.
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>
#include <variant>

#include "volley/app/exit_status.h"
#include "volley/app/options.h"
#include "volley/app/output.h"
#include "volley/app/probe_command.h"
#include "volley/app/read_command.h"
#include "volley/app/rss_command.h"
#include "volley/app/run_setup.h"
#include "volley/net/error.h"

namespace {

using namespace volley;
using namespace volley::app;

void complain(std::string_view line) {
  std::fprintf(stderr, "volley: %.*s\n", static_cast<int>(line.size()), line.data());
}

struct RunCommand {
  int operator()(const ProbeOptions& options) const { return run_probe_command(options, std::cin); }
  int operator()(const ReadOptions& options) const { return run_read_command(options, std::cin); }
  int operator()(const RssCommandOptions& options) const {
    const int status = run_rss_command(options, std::cin, std::cout, std::cerr);
    std::cout.flush();
    return status;
  }
  int operator()(const Information& information) const {
    Output::write_stdout(information.text);
    return 0;
  }
  int operator()(const UsageError& error) const {
    complain(error.text);
    return exit_status::kUsage;
  }
};

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    return std::visit(RunCommand{}, parse_options(argument_count, arguments));
  } catch (const CommandError& error) {
    for (const std::string& line : error.lines()) complain(line);
    return error.exit_status();
  } catch (const net::SetupError& error) {
    complain(error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory: fewer targets, ports or source ports need less");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_status::kCouldNotMeasure;
}

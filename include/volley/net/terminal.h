// What the user's terminal can show.
//
// A value, read once at the start. Main thread.
#pragma once

#include <cstdint>

namespace volley::net {

struct Terminal {
  bool is_stdin_terminal = false;
  bool is_stdout_terminal = false;
  bool is_stderr_terminal = false;
  std::uint16_t columns = 80;       // of the first of stdout and stderr that is a terminal
  bool is_utf8 = false;             // the locale's character set
  bool is_dumb = false;             // TERM unset, empty or "dumb": no cursor movement, no colour
  bool is_colour_unwanted = false;  // NO_COLOR is set and not empty (no-color.org)
};

Terminal read_terminal();

}  // namespace volley::net

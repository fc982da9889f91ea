// What the terminal can show, from the tty, the environment and the locale. Main thread.
#include "volley/net/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace volley::net {

namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// Asks a locale of its own: the program's stays "C", so numbers keep their point.
bool is_utf8_locale() {
  locale_t locale = newlocale(LC_CTYPE_MASK, "", static_cast<locale_t>(nullptr));
  if (locale == static_cast<locale_t>(nullptr)) return false;
  const bool is_utf8 = std::string_view(nl_langinfo_l(CODESET, locale)) == "UTF-8";
  freelocale(locale);
  return is_utf8;
}

std::uint16_t columns_of(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : std::uint16_t{0};
}

}  // namespace

Terminal read_terminal() {
  Terminal terminal;
  terminal.is_stdin_terminal = isatty(STDIN_FILENO) == 1;
  terminal.is_stdout_terminal = isatty(STDOUT_FILENO) == 1;
  terminal.is_stderr_terminal = isatty(STDERR_FILENO) == 1;
  for (const int descriptor : {STDERR_FILENO, STDOUT_FILENO}) {
    if (const std::uint16_t columns = columns_of(descriptor); columns != 0) terminal.columns = columns;
  }
  terminal.is_utf8 = is_utf8_locale();
  const std::string_view kind = environment("TERM");
  terminal.is_dumb = kind.empty() || kind == "dumb";
  terminal.is_colour_unwanted = !environment("NO_COLOR").empty();
  return terminal;
}

}  // namespace volley::net

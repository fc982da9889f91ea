// Tests what the environment says of the terminal. Changes it for this process.
#include "volley/net/terminal.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <string>

namespace {

// Sets a variable, and puts back what was there.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name); before != nullptr) before_ = before;
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  }
  ~Variable() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

using volley::net::read_terminal;

TEST_CASE("a terminal without a kind is dumb", "[net]") {
  const auto [kind, is_dumb] =
      GENERATE(table<const char*, bool>({{nullptr, true}, {"", true}, {"dumb", true}, {"xterm", false}}));
  const Variable term("TERM", kind);
  CHECK(read_terminal().is_dumb == is_dumb);
}

TEST_CASE("NO_COLOR counts unless it is empty", "[net]") {
  const auto [value, is_unwanted] =
      GENERATE(table<const char*, bool>({{nullptr, false}, {"", false}, {"1", true}, {"0", true}}));
  const Variable colour("NO_COLOR", value);
  CHECK(read_terminal().is_colour_unwanted == is_unwanted);
}

TEST_CASE("the locale's character set decides over UTF-8", "[net]") {
  const Variable language("LC_ALL", "C");
  CHECK_FALSE(read_terminal().is_utf8);
  const Variable utf8("LC_ALL", "C.UTF-8");
  CHECK(read_terminal().is_utf8);
  CHECK(read_terminal().columns > 0);
}

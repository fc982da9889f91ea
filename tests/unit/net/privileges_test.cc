// Tests that privileges are gone once dropped, in a child process: it can't be undone.
#include "volley/net/privileges.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "volley/net/error.h"

namespace {

enum Result { kAllGone = 0, kSomeLeft = 1, kRaised = 2, kThrew = 3 };

// In the child: no assertions of the test framework here.
int drop_and_look() {
  try {
    volley::net::drop_privileges();
  } catch (const volley::net::SetupError&) {
    return kThrew;
  }
  if (volley::net::acquire_net_raw()) return kRaised;
  int found = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    const std::string value = line.substr(line.find('\t') + 1);
    for (const char* name : {"CapInh:", "CapPrm:", "CapEff:", "CapAmb:"}) {
      if (line.starts_with(name) && value.find_first_not_of('0') == std::string::npos) ++found;
    }
    if (line.starts_with("NoNewPrivs:") && value == "1") ++found;
  }
  return found == 5 ? kAllGone : kSomeLeft;
}

}  // namespace

TEST_CASE("dropped privileges are gone for good", "[net]") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(drop_and_look());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == kAllGone);
}

TEST_CASE("a missing capability is explained with this program's path", "[net]") {
  const std::string path = std::filesystem::read_symlink("/proc/self/exe").string();
  CHECK(volley::net::net_raw_missing() ==
        "cannot open a raw socket: it needs CAP_NET_RAW: run with sudo, or once: sudo setcap cap_net_raw+ep " + path);
}

// Tests of the texts of set-up errors. One thread.
#include "volley/net/error.h"

#include <catch2/catch.hpp>
#include <cerrno>

using volley::net::describe_errno;
using volley::net::PermissionError;
using volley::net::SetupError;

TEST_CASE("an errno becomes words behind what was tried", "[net]") {
  CHECK(describe_errno("write x.pcap", ENOSPC) == "write x.pcap: No space left on device");
}

TEST_CASE("a missing permission can be caught as a set-up error", "[net]") {
  CHECK_THROWS_AS(throw PermissionError("no"), SetupError);
}

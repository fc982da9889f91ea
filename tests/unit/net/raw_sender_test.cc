// Tests the table from errno to reason; sending needs privileges: see the live tests.
#include "volley/net/raw_sender.h"

#include <catch2/catch.hpp>
#include <cerrno>

using volley::net::not_sent_reason;
using volley::probe::NotSentReason;

TEST_CASE("every errno of a send has its reason", "[net]") {
  CHECK(not_sent_reason(0) == NotSentReason::none);
  for (const int error : {ENOBUFS, ENOMEM, EAGAIN}) CHECK(not_sent_reason(error) == NotSentReason::no_buffer);
  for (const int error : {EPERM, EACCES}) CHECK(not_sent_reason(error) == NotSentReason::not_permitted);
  for (const int error : {ENETUNREACH, EHOSTUNREACH, ENETDOWN, ENODEV}) {
    CHECK(not_sent_reason(error) == NotSentReason::no_route);
  }
  CHECK(not_sent_reason(EMSGSIZE) == NotSentReason::too_big);
  CHECK(not_sent_reason(EINVAL) == NotSentReason::other_error);
}

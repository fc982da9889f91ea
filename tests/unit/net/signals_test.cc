// Tests that signals become events, and that ignored ones stay ignored. Signals
// are raised in this thread alone.
#include "volley/net/signals.h"

#include <catch2/catch.hpp>
#include <csignal>

using namespace volley::net;

TEST_CASE("signals are read as events", "[net]") {
  SignalWatch watch;
  const std::chrono::nanoseconds now(0);
  CHECK_FALSE(watch.next(now));
  const auto [signal, event] = GENERATE(table<int, SignalEvent>({{SIGINT, SignalEvent::interrupt},
                                                                 {SIGTERM, SignalEvent::terminate},
                                                                 {SIGHUP, SignalEvent::terminate},
                                                                 {SIGQUIT, SignalEvent::summary}}));
  if (struct sigaction before{}; sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) return;
  raise(signal);
  CHECK(watch.next(now) == event);
  CHECK_FALSE(watch.next(now));
  // Still queued when the watch ends: must not kill the program then.
  raise(signal);
}

TEST_CASE("what the parent ignored stays ignored", "[net]") {
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  sigaction(SIGHUP, &ignore, &before);
  {
    SignalWatch watch;
    raise(SIGHUP);
    CHECK_FALSE(watch.next(std::chrono::nanoseconds(0)));
  }
  sigaction(SIGHUP, &before, nullptr);
}

TEST_CASE("a broken pipe doesn't kill while the watch lives", "[net]") {
  const SignalWatch watch;
  raise(SIGPIPE);
  SUCCEED();
}

// Signals through a signalfd. Made by the main thread; next() by one thread.
#include "volley/net/signals.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "volley/net/error.h"

namespace volley::net {

namespace {

constexpr std::array kWatched{SIGINT, SIGTERM, SIGHUP, SIGQUIT};

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

std::optional<SignalEvent> event_of(std::uint32_t signal) {
  switch (signal) {
    case SIGINT:
      return SignalEvent::interrupt;
    case SIGTERM:
    case SIGHUP:
      return SignalEvent::terminate;
    case SIGQUIT:
      return SignalEvent::summary;
    default:
      return std::nullopt;
  }
}

}  // namespace

struct SignalWatch::State {
  int descriptor = -1;
  sigset_t mask_before{};
  struct sigaction pipe_before {};
};

SignalWatch::SignalWatch() : state_(std::make_unique<State>()) {
  sigset_t watched;
  sigemptyset(&watched);
  // A blocked signal would be queued although the parent wished it ignored.
  for (const int signal : kWatched) {
    if (!is_ignored(signal)) sigaddset(&watched, signal);
  }
  state_->descriptor = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (state_->descriptor < 0) throw SetupError(describe_errno("watch signals", errno));
  pthread_sigmask(SIG_BLOCK, &watched, &state_->mask_before);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &state_->pipe_before);
}

SignalWatch::~SignalWatch() {
  // What is still queued was meant for this watch: restoring the mask must not let it kill.
  while (next(std::chrono::nanoseconds(0))) {
  }
  close(state_->descriptor);
  sigaction(SIGPIPE, &state_->pipe_before, nullptr);
  pthread_sigmask(SIG_SETMASK, &state_->mask_before, nullptr);
}

std::optional<SignalEvent> SignalWatch::next(std::chrono::nanoseconds wait) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const std::int64_t ns = wait.count() > 0 ? wait.count() : 0;
  const timespec timeout{static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
  pollfd ready{state_->descriptor, POLLIN, 0};
  if (ppoll(&ready, 1, &timeout, nullptr) <= 0) return std::nullopt;
  signalfd_siginfo info{};
  if (read(state_->descriptor, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  return event_of(info.ssi_signo);
}

int SignalWatch::descriptor() const {
  return state_->descriptor;
}

}  // namespace volley::net

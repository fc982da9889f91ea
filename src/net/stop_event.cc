// The stop request: a flag for those awake, an eventfd for those in poll.
// Any thread; request() only stores and writes, so a signal handler may call it.
#include "volley/net/stop_event.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "volley/net/error.h"

namespace volley::net {

StopEvent::StopEvent() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (descriptor_ < 0) throw SetupError(describe_errno("open an event descriptor", errno));
}

StopEvent::~StopEvent() {
  close(descriptor_);
}

void StopEvent::request() {
  requested_.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  // Fails only when it is readable already.
  [[maybe_unused]] const ssize_t written = ::write(descriptor_, &one, sizeof one);
}

}  // namespace volley::net

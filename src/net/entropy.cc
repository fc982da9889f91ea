// A seed from the kernel's generator. Any thread.
#include "volley/net/entropy.h"

#include <sys/random.h>

#include <cerrno>

#include "volley/net/error.h"

namespace volley::net {

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  ssize_t got = 0;
  do {
    got = getrandom(&seed, sizeof seed, 0);
  } while (got < 0 && errno == EINTR);
  // Up to 256 bytes come whole (getrandom(2)); anything else is an error.
  if (got != static_cast<ssize_t>(sizeof seed)) throw SetupError(describe_errno("read a random seed", errno));
  return seed;
}

}  // namespace volley::net

// Capabilities through libcap-ng. Main thread, before any other is started.
#include "volley/net/privileges.h"

#include <cap-ng.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "volley/net/error.h"

namespace volley::net {

namespace {

std::string own_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "volley" : path.string();
}

// A setuid program goes back to who ran it; anybody else stays who they are.
void drop_identity() {
  if (geteuid() == getuid() && getegid() == getgid()) return;
  if (setresgid(getgid(), getgid(), getgid()) != 0 || setresuid(getuid(), getuid(), getuid()) != 0) {
    throw SetupError(describe_errno("give up the identity of the program's owner", errno));
  }
}

}  // namespace

bool acquire_net_raw() {
  if (capng_get_caps_process() != 0) return false;
  if (capng_have_capability(CAPNG_EFFECTIVE, CAP_NET_RAW) != 0) return true;
  if (capng_have_capability(CAPNG_PERMITTED, CAP_NET_RAW) == 0) return false;
  return capng_update(CAPNG_ADD, CAPNG_EFFECTIVE, CAP_NET_RAW) == 0 && capng_apply(CAPNG_SELECT_CAPS) == 0;
}

std::string net_raw_missing() {
  return "cannot open a raw socket: it needs CAP_NET_RAW: run with sudo, or once: sudo setcap cap_net_raw+ep " +
         own_path();
}

void drop_privileges() {
  drop_identity();
  if (capng_get_caps_process() != 0) throw SetupError("give up capabilities: the kernel doesn't tell them");
  // The bounding set first: emptying it needs CAP_SETPCAP itself. Without it no_new_privs does the same.
  const bool may_bound = capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP) != 0;
  capng_clear(CAPNG_SELECT_ALL);
  if (may_bound) capng_apply(CAPNG_SELECT_BOUNDS);
  capng_apply(CAPNG_SELECT_AMBIENT);
  if (capng_apply(CAPNG_SELECT_CAPS) != 0) throw SetupError(describe_errno("give up capabilities", errno));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) {
    throw SetupError(describe_errno("give up the right to new privileges", errno));
  }
  if (capng_get_caps_process() != 0 || capng_have_capabilities(CAPNG_SELECT_CAPS) != CAPNG_NONE) {
    throw SetupError("give up capabilities: some are left");
  }
}

}  // namespace volley::net

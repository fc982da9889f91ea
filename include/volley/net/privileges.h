// The capabilities of this process: used while sockets are opened, then dropped
// for good, before a packet is read.
//
// Capabilities belong to threads, and new threads inherit them: main thread
// only, before any other is started.
#pragma once

#include <string>

namespace volley::net {

// True if CAP_NET_RAW is effective; raises it first if it is only permitted.
bool acquire_net_raw();

// "cannot open a raw socket: it needs CAP_NET_RAW: run with sudo, or once: sudo
// setcap cap_net_raw+ep /usr/bin/volley", with the path of this program.
std::string net_raw_missing();

// Gives up every capability (effective, permitted, inheritable, ambient, and
// the bounding set where allowed), the identity of a setuid program, and the
// right to gain new ones (no_new_privs). Root stays user 0, without
// capabilities. Throws SetupError if any is left afterwards.
void drop_privileges();

}  // namespace volley::net

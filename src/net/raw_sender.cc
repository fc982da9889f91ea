// Raw IP sockets, one for each family and source, and batches over sendmmsg.
// Opened by the main thread; send() is the sender thread's alone.
#include "volley/net/raw_sender.h"

#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include "volley/net/error.h"
#include "volley/net/privileges.h"

namespace volley::net {

namespace {

// Packets of one system call. Larger ones gain nothing more (measured).
constexpr std::size_t kBatch = 64;
// Room for packets that wait in a queueing discipline: about 4,000 small ones.
constexpr int kSendBufferBytes = 4 << 20;

// One raw socket; all its packets have this family and source.
struct RawSocket {
  int descriptor = -1;
  wire::IpAddress source;
  std::uint32_t scope_id = 0;
};

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  // The socket calls want the generic type.
  const sockaddr* generic() const {
    const void* start = &storage;
    return static_cast<const sockaddr*>(start);
  }
};

SocketAddress socket_address(const wire::IpAddress& address, std::uint32_t scope_id) {
  SocketAddress result;
  if (address.is_v6()) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    std::memcpy(&v6.sin6_addr, address.bytes().data(), sizeof v6.sin6_addr);
    v6.sin6_scope_id = scope_id;
    std::memcpy(&result.storage, &v6, sizeof v6);
    result.length = sizeof v6;
  } else {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    std::memcpy(&v4.sin_addr, address.bytes().data(), sizeof v4.sin_addr);
    std::memcpy(&result.storage, &v4, sizeof v4);
    result.length = sizeof v4;
  }
  return result;
}

template <typename T>
bool set_option(int descriptor, int level, int option, const T& value) {
  return setsockopt(descriptor, level, option, &value, sizeof value) == 0;
}

void require_option(bool is_set, const std::string& what) {
  if (is_set) return;
  if (errno == EPERM) throw PermissionError(what + ": Operation not permitted (it needs CAP_NET_ADMIN: run with sudo)");
  throw SetupError(describe_errno(what, errno));
}

void configure(int descriptor, bool is_v6, const RawSenderOptions& options) {
  const int on = 1;
  // Without "receive errors" the kernel hides that a queueing discipline dropped a packet. No ICMP
  // error ever reaches the socket by it: those go by protocol, and no packet has IPPROTO_RAW.
  require_option(is_v6 ? set_option(descriptor, IPPROTO_IPV6, IPV6_RECVERR, on)
                       : set_option(descriptor, IPPROTO_IP, IP_RECVERR, on),
                 "set up the raw socket: report local errors");
  require_option(is_v6 ? set_option(descriptor, IPPROTO_IPV6, IPV6_HDRINCL, on)
                       : set_option(descriptor, IPPROTO_IP, IP_HDRINCL, on),
                 "set up the raw socket: own headers");
  // The packet has its own; this is what routing rules and queueing look at.
  const int traffic_class = options.traffic_class;
  require_option(is_v6 ? set_option(descriptor, IPPROTO_IPV6, IPV6_TCLASS, traffic_class)
                       : set_option(descriptor, IPPROTO_IP, IP_TOS, traffic_class),
                 "set up the raw socket: traffic class");
  // Beyond net.core.wmem_max only with CAP_NET_ADMIN; what we get is enough for low rates.
  if (!set_option(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, kSendBufferBytes)) {
    set_option(descriptor, SOL_SOCKET, SO_SNDBUF, kSendBufferBytes);
  }
  if (options.mark) {
    require_option(set_option(descriptor, SOL_SOCKET, SO_MARK, *options.mark),
                   "--mark " + std::to_string(*options.mark));
  }
  if (!options.bind_interface.empty()) {
    const std::string& name = options.bind_interface;
    require_option(
        setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name.data(), static_cast<socklen_t>(name.size())) == 0,
        "bind to interface " + name);
  }
}

bool is_full(int system_error) {
  return system_error == EAGAIN || system_error == EWOULDBLOCK;
}

}  // namespace

probe::NotSentReason not_sent_reason(int system_error) {
  switch (system_error) {
    case 0:
      return probe::NotSentReason::none;
    case ENOBUFS:
    case ENOMEM:
    case EAGAIN:
      return probe::NotSentReason::no_buffer;
    case EPERM:
    case EACCES:
      return probe::NotSentReason::not_permitted;
    case ENETUNREACH:
    case EHOSTUNREACH:
    case ENETDOWN:
    case EHOSTDOWN:
    case ENODEV:
    case ENXIO:
    case EADDRNOTAVAIL:
      return probe::NotSentReason::no_route;
    case EMSGSIZE:
      return probe::NotSentReason::too_big;
    default:
      return probe::NotSentReason::other_error;
  }
}

struct RawSender::State {
  struct Target {
    SocketAddress address;
    int descriptor = -1;
  };

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (const RawSocket& raw : sockets) close(raw.descriptor);
  }

  int socket_for(const probe::Destination& destination, const RawSenderOptions& options);
  void send_run(std::span<probe::OutgoingPacket> packets);
  int wait_for_room(int descriptor) const;
  void resend_after_wait(probe::OutgoingPacket& packet);

  std::vector<RawSocket> sockets;
  std::vector<Target> targets;
  std::chrono::nanoseconds buffer_wait{0};
  std::array<mmsghdr, kBatch> messages{};
  std::array<iovec, kBatch> parts{};
};

int RawSender::State::socket_for(const probe::Destination& destination, const RawSenderOptions& options) {
  const wire::IpAddress& source = destination.source;
  const std::uint32_t scope = wire::is_link_local(source) && source.is_v6()
                                  ? (destination.scope_id != 0 ? destination.scope_id : destination.interface_index)
                                  : 0;
  for (const RawSocket& raw : sockets) {
    if (raw.source == source && raw.scope_id == scope) return raw.descriptor;
  }
  const int family = source.is_v6() ? AF_INET6 : AF_INET;
  const int descriptor = socket(family, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_RAW);
  if (descriptor < 0) {
    if (errno == EPERM || errno == EACCES) throw PermissionError(net_raw_missing());
    throw SetupError(describe_errno("open a raw socket", errno));
  }
  sockets.push_back({descriptor, source, scope});
  configure(descriptor, source.is_v6(), options);
  // Rules "from" this source then apply to the probes as they did to find_route().
  const SocketAddress own = socket_address(source, scope);
  if (bind(descriptor, own.generic(), own.length) != 0) {
    throw SetupError(describe_errno("send from " + wire::to_string(source), errno));
  }
  return descriptor;
}

int RawSender::State::wait_for_room(int descriptor) const {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const std::int64_t wait = buffer_wait.count();
  const timespec timeout{static_cast<time_t>(wait / kNsPerSecond), static_cast<long>(wait % kNsPerSecond)};
  pollfd room{descriptor, POLLOUT, 0};
  return ppoll(&room, 1, &timeout, nullptr);
}

void RawSender::State::resend_after_wait(probe::OutgoingPacket& packet) {
  const Target& target = targets[packet.destination];
  if (wait_for_room(target.descriptor) <= 0) return;
  const ssize_t sent = sendto(target.descriptor, packet.bytes.data(), packet.bytes.size(), MSG_DONTWAIT,
                              target.address.generic(), target.address.length);
  packet.system_error = sent < 0 ? errno : 0;
  packet.error = not_sent_reason(packet.system_error);
}

// At most kBatch packets that share a socket.
void RawSender::State::send_run(std::span<probe::OutgoingPacket> packets) {
  const int descriptor = targets[packets.front().destination].descriptor;
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const SocketAddress& address = targets[packets[i].destination].address;
    // The system calls read only; their types predate const.
    parts[i] = {const_cast<std::uint8_t*>(packets[i].bytes.data()), packets[i].bytes.size()};
    messages[i] = {};
    messages[i].msg_hdr.msg_name = const_cast<sockaddr_storage*>(&address.storage);
    messages[i].msg_hdr.msg_namelen = address.length;
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
    packets[i].error = probe::NotSentReason::none;
    packets[i].system_error = 0;
  }
  bool has_waited = buffer_wait.count() == 0;
  std::size_t next = 0;
  while (next < packets.size()) {
    const auto count = static_cast<unsigned>(packets.size() - next);
    const int sent = count == 1 ? static_cast<int>(sendmsg(descriptor, &messages[next].msg_hdr, MSG_DONTWAIT) >= 0)
                                : sendmmsg(descriptor, &messages[next], count, MSG_DONTWAIT);
    if (sent > 0) {
      next += static_cast<std::size_t>(sent);
      continue;
    }
    // The first packet failed: it keeps its error, and the next ones have their turn.
    // (A packet that failed behind others is tried a second time here: sendmmsg
    // keeps its error to itself. It is sent once at most.)
    probe::OutgoingPacket& failed = packets[next++];
    failed.system_error = errno;
    failed.error = not_sent_reason(failed.system_error);
    if (is_full(failed.system_error) && !has_waited) {
      has_waited = true;
      resend_after_wait(failed);
    }
  }
}

RawSender::RawSender(const RawSenderOptions& options) : state_(std::make_unique<State>()) {
  state_->buffer_wait = options.buffer_wait;
  for (const probe::Destination& destination : options.destinations) {
    const std::uint32_t scope = destination.scope_id;
    state_->targets.push_back({socket_address(destination.address, scope), state_->socket_for(destination, options)});
  }
}

RawSender::~RawSender() = default;

void RawSender::send(std::span<probe::OutgoingPacket> packets) {
  while (!packets.empty()) {
    const int descriptor = state_->targets[packets.front().destination].descriptor;
    std::size_t length = 1;
    while (length < packets.size() && length < kBatch &&
           state_->targets[packets[length].destination].descriptor == descriptor) {
      ++length;
    }
    state_->send_run(packets.first(length));
    packets = packets.subspan(length);
  }
}

}  // namespace volley::net

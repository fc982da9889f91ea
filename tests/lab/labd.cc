// labd: the services of the lab's target: TCP ports that accept and close, UDP echo.
//
// One thread. TCP listens with the largest backlog the namespace allows; UDP
// answers from the address that was asked, in batches. Ends at SIGTERM or SIGINT.
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

constexpr int kBacklog = 65535;
constexpr int kReceiveBuffer = 16 << 20;
constexpr std::size_t kBatch = 64;
constexpr std::size_t kLargestDatagram = 65535;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

struct Options {
  std::vector<std::uint16_t> tcp{80, 8080};
  std::vector<std::uint16_t> udp{7};
  std::string ready_file;
};

std::vector<std::uint16_t> parse_ports(std::string_view list) {
  std::vector<std::uint16_t> ports;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::uint16_t port = 0;
    const auto [stop, error] = std::from_chars(list.data(), list.data() + end, port);
    if (error != std::errc{} || stop != list.data() + end || port == 0) {
      throw std::invalid_argument("'" + std::string(list.substr(0, end)) + "' is not a port");
    }
    ports.push_back(port);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return ports;
}

void set_option(int fd, int level, int name, int value, const char* what) {
  if (setsockopt(fd, level, name, &value, sizeof value) != 0) {
    fail(what);
  }
}

// One socket serves both families; IPv4 peers have mapped addresses.
int open_socket(int type, std::uint16_t port) {
  const int fd = socket(AF_INET6, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    fail("open a socket");
  }
  set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0, "serve both families");
  set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1, "reuse a port");
  if (type == SOCK_DGRAM) {
    set_option(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1, "learn the address asked");
    set_option(fd, SOL_SOCKET, SO_RCVBUFFORCE, kReceiveBuffer, "widen the receive buffer");
    set_option(fd, SOL_SOCKET, SO_SNDBUFFORCE, kReceiveBuffer, "widen the send buffer");
  }
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(port);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail("bind port " + std::to_string(port));
  }
  if (type == SOCK_STREAM && listen(fd, kBacklog) != 0) {
    fail("listen on port " + std::to_string(port));
  }
  return fd;
}

void accept_and_close(int fd) {
  for (int connection = accept(fd, nullptr, nullptr); connection >= 0; connection = accept(fd, nullptr, nullptr)) {
    close(connection);
  }
}

// Buffers for one batch of datagrams; what came goes back as it came, with the
// control message that names the address it came to.
class Echo {
 public:
  Echo() : payloads_(kBatch, std::vector<char>(kLargestDatagram)) {}

  void serve(int fd) {
    prepare();
    const int received = recvmmsg(fd, messages_.data(), kBatch, 0, nullptr);
    for (int i = 0; i < received; ++i) {
      const auto index = static_cast<std::size_t>(i);
      vectors_[index].iov_len = messages_[index].msg_len;
      messages_[index].msg_hdr.msg_flags = 0;
    }
    int sent = 0;
    while (sent < received) {
      const int count = sendmmsg(fd, messages_.data() + sent, static_cast<unsigned>(received - sent), 0);
      sent += count > 0 ? count : 1;  // a peer that can't be reached must not stop the others
    }
  }

 private:
  static constexpr std::size_t kControlBytes = CMSG_SPACE(sizeof(in6_pktinfo));

  void prepare() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      vectors_[i] = {payloads_[i].data(), kLargestDatagram};
      msghdr& header = messages_[i].msg_hdr;
      header.msg_name = &peers_[i];
      header.msg_namelen = sizeof peers_[i];
      header.msg_iov = &vectors_[i];
      header.msg_iovlen = 1;
      header.msg_control = controls_[i].bytes.data();
      header.msg_controllen = kControlBytes;
    }
  }

  struct alignas(cmsghdr) Control {
    std::array<char, kControlBytes> bytes;
  };
  std::vector<std::vector<char>> payloads_;
  std::array<sockaddr_in6, kBatch> peers_{};
  std::array<Control, kBatch> controls_{};
  std::array<iovec, kBatch> vectors_{};
  std::array<mmsghdr, kBatch> messages_{};
};

// In the upper half of an event's data; the lower is the file descriptor.
enum class Service : std::uint32_t { tcp, udp, signal };

void watch(int epoll, int fd, Service service) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = static_cast<std::uint64_t>(service) << 32U | static_cast<std::uint32_t>(fd);
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
    fail("watch a socket");
  }
}

Options parse_options(int argc, char** argv) {
  static constexpr std::array<option, 4> kOptions{{{"tcp", required_argument, nullptr, 't'},
                                                   {"udp", required_argument, nullptr, 'u'},
                                                   {"ready-file", required_argument, nullptr, 'r'},
                                                   {nullptr, 0, nullptr, 0}}};
  Options options;
  for (int choice = 0; (choice = getopt_long(argc, argv, "", kOptions.data(), nullptr)) != -1;) {
    switch (choice) {
      case 't':
        options.tcp = parse_ports(optarg);
        break;
      case 'u':
        options.udp = parse_ports(optarg);
        break;
      case 'r':
        options.ready_file = optarg;
        break;
      default:
        throw std::invalid_argument("usage: labd [--tcp PORTS] [--udp PORTS] [--ready-file FILE]");
    }
  }
  return options;
}

void serve(const Options& options) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  setsid();  // a Ctrl-C at the test's terminal is not for the target
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(epoll, signalfd(-1, &signals, SFD_CLOEXEC), Service::signal);
  for (const std::uint16_t port : options.tcp) {
    watch(epoll, open_socket(SOCK_STREAM, port), Service::tcp);
  }
  for (const std::uint16_t port : options.udp) {
    watch(epoll, open_socket(SOCK_DGRAM, port), Service::udp);
  }
  if (!options.ready_file.empty()) {
    std::ofstream(options.ready_file) << getpid() << '\n';
  }
  Echo echo;
  for (;;) {
    epoll_event event{};
    if (epoll_wait(epoll, &event, 1, -1) != 1) {
      continue;
    }
    const int fd = static_cast<int>(event.data.u64 & 0xffffffffU);
    switch (static_cast<Service>(event.data.u64 >> 32U)) {
      case Service::tcp:
        accept_and_close(fd);
        break;
      case Service::udp:
        echo.serve(fd);
        break;
      case Service::signal:
        return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kFailed = 3;
  try {
    serve(parse_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "labd: %s\n", error.what());
    return kFailed;
  }
  return 0;
}

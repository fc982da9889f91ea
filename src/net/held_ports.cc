// Local sockets from /proc, and sockets that hold UDP ports. Main thread.
#include "volley/net/held_ports.h"

#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "volley/net/error.h"

namespace volley::net {

namespace {

constexpr std::uint8_t kTimeWait = 6;  // TCP_TIME_WAIT (tcp_states.h)

std::string_view next_word(std::string_view& line) {
  const std::size_t start = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(start);
  const std::size_t length = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(length);
  return word;
}

template <typename T>
bool parse_hex(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value, 16);
  return error == std::errc() && rest == end;
}

// The kernel prints each 32-bit word of the address as a number of its own byte order.
std::optional<wire::IpAddress> parse_words(std::string_view text) {
  constexpr std::size_t kDigits = 8;
  std::array<std::uint8_t, 16> octets{};
  const std::size_t words = text.size() / kDigits;
  if (text.size() % kDigits != 0 || (words != 1 && words != 4)) return std::nullopt;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t word = 0;
    if (!parse_hex(text.substr(i * kDigits, kDigits), word)) return std::nullopt;
    std::memcpy(octets.data() + i * sizeof word, &word, sizeof word);
  }
  const std::span<const std::uint8_t, 16> all(octets);
  if (words == 1) return wire::IpAddress::from_v4(all.first<4>());
  constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (std::equal(kMapped.begin(), kMapped.end(), octets.begin())) return wire::IpAddress::from_v4(all.last<4>());
  return wire::IpAddress::from_v6(all);
}

bool parse_endpoint(std::string_view text, wire::IpAddress& address, std::uint16_t& port) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const auto parsed = parse_words(text.substr(0, colon));
  if (!parsed) return false;
  address = *parsed;
  return parse_hex(text.substr(colon + 1), port);
}

std::optional<LocalSocket> parse_line(std::string_view line) {
  LocalSocket socket;
  next_word(line);  // its number in the table
  if (!parse_endpoint(next_word(line), socket.local, socket.local_port)) return std::nullopt;
  if (!parse_endpoint(next_word(line), socket.remote, socket.remote_port)) return std::nullopt;
  if (!parse_hex(next_word(line), socket.state)) return std::nullopt;
  return socket;
}

// "::" takes IPv4 too, unless the socket says otherwise, which the table doesn't tell.
bool is_bound_to(const LocalSocket& socket, const probe::Destination& destination) {
  return wire::is_unspecified(socket.local) || socket.local == destination.source;
}

bool stands_in_the_way(const LocalSocket& socket, const probe::Destination& destination) {
  if (!is_bound_to(socket, destination)) return false;
  return socket.state != kTimeWait || socket.remote == destination.address;
}

std::vector<LocalSocket> read_table(const char* path) {
  std::ifstream file(path);
  // Without IPv6 in the kernel its tables don't exist.
  if (!file) return {};
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw SetupError(std::string("read ") + path + ": it can't be read");
  return parse_socket_table(text);
}

// How many of `wanted` descriptors may be taken, with some left for the rest of
// the program. Raises the soft limit to the hard one if that is not all.
std::size_t allow_descriptors(std::size_t wanted) {
  constexpr rlim_t kOthers = 512;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < wanted + kOthers) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  const rlim_t free = limit.rlim_cur > kOthers ? limit.rlim_cur - kOthers : 0;
  return std::min(wanted, static_cast<std::size_t>(free));
}

// Drops all that comes: nobody reads it, and a full queue would hold memory.
bool attach_drop_filter(int descriptor) {
  sock_filter drop{BPF_RET | BPF_K, 0, 0, 0};
  const sock_fprog program{1, &drop};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

int bind_to(int descriptor, const probe::Destination& destination, std::uint16_t port) {
  sockaddr_storage storage{};
  socklen_t length = 0;
  const auto bytes = destination.source.bytes();
  if (destination.source.is_v6()) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    std::memcpy(&v6.sin6_addr, bytes.data(), bytes.size());
    if (wire::is_link_local(destination.source)) v6.sin6_scope_id = destination.interface_index;
    length = sizeof v6;
    std::memcpy(&storage, &v6, length);
  } else {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    std::memcpy(&v4.sin_addr, bytes.data(), bytes.size());
    length = sizeof v4;
    std::memcpy(&storage, &v4, length);
  }
  const void* address = &storage;
  return bind(descriptor, static_cast<const sockaddr*>(address), length) == 0 ? 0 : errno;
}

}  // namespace

std::vector<LocalSocket> parse_socket_table(std::string_view text) {
  std::vector<LocalSocket> sockets;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    if (const auto socket = parse_line(text.substr(0, length))) sockets.push_back(*socket);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return sockets;
}

std::vector<std::uint16_t> held_ports(std::span<const LocalSocket> sockets,
                                      std::span<const probe::Destination> destinations) {
  std::vector<std::uint16_t> ports;
  for (const LocalSocket& socket : sockets) {
    const bool is_held = std::any_of(destinations.begin(), destinations.end(),
                                     [&](const auto& destination) { return stands_in_the_way(socket, destination); });
    if (is_held && socket.local_port != 0) ports.push_back(socket.local_port);
  }
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

std::vector<std::uint16_t> read_held_ports(probe::Protocol protocol, std::span<const probe::Destination> destinations) {
  std::vector<LocalSocket> sockets;
  const auto add = [&sockets](const char* path) {
    const auto table = read_table(path);
    sockets.insert(sockets.end(), table.begin(), table.end());
  };
  switch (protocol) {
    case probe::Protocol::tcp:
      add("/proc/net/tcp");
      add("/proc/net/tcp6");
      break;
    case probe::Protocol::udp:
      add("/proc/net/udp");
      add("/proc/net/udp6");
      break;
    case probe::Protocol::icmp:
      break;
  }
  return held_ports(sockets, destinations);
}

UdpPortHolder::UdpPortHolder(std::span<const probe::Destination> destinations, std::span<const std::uint16_t> ports) {
  // Destinations share sources; one socket a source and port.
  std::vector<const probe::Destination*> sources;
  for (const probe::Destination& destination : destinations) {
    const bool is_new = std::none_of(sources.begin(), sources.end(), [&](const probe::Destination* known) {
      return known->source == destination.source &&
             (!wire::is_link_local(destination.source) || known->interface_index == destination.interface_index);
    });
    if (is_new) sources.push_back(&destination);
  }
  const std::size_t allowed = allow_descriptors(sources.size() * ports.size());
  for (const std::uint16_t port : ports) {
    for (const probe::Destination* source : sources) {
      const int family = source->source.is_v6() ? AF_INET6 : AF_INET;
      const bool has_room = descriptors_.size() < allowed;
      const int descriptor = has_room ? socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) : -1;
      if (descriptor < 0 || !attach_drop_filter(descriptor)) {
        if (descriptor >= 0) close(descriptor);
        ++not_held_;
        continue;
      }
      const int error = bind_to(descriptor, *source, port);
      if (error == 0) {
        descriptors_.push_back(descriptor);
        continue;
      }
      close(descriptor);
      if (error != EADDRINUSE) {
        ++not_held_;
      } else if (in_use_.empty() || in_use_.back() != port) {
        in_use_.push_back(port);
      }
    }
  }
  std::sort(in_use_.begin(), in_use_.end());
}

UdpPortHolder::~UdpPortHolder() {
  for (const int descriptor : descriptors_) close(descriptor);
}

std::size_t UdpPortHolder::held_count() const {
  return descriptors_.size();
}

}  // namespace volley::net

// Source ports that local sockets hold, and the sockets that hold ours.
//
// A port in use must not be probed from: the reply would meet somebody's
// socket, not our kernel's reset. UDP is the reverse: without a socket on the
// port the kernel answers each reply with "port unreachable". Values; main
// thread, while a run is set up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/wire/address.h"

namespace volley::net {

// One line of /proc/net/{tcp,tcp6,udp,udp6}.
struct LocalSocket {
  wire::IpAddress local;
  wire::IpAddress remote;
  std::uint16_t local_port = 0;
  std::uint16_t remote_port = 0;
  std::uint8_t state = 0;  // TCP_ number of the kernel: 1 established, 6 time-wait, 10 listen

  friend bool operator==(const LocalSocket&, const LocalSocket&) = default;
};

// Pure: the sockets of such a table's text; lines that aren't understood are left out.
// IPv4-mapped addresses become IPv4.
std::vector<LocalSocket> parse_socket_table(std::string_view text);

// Pure: ports, ascending, that probes from the destinations' sources must not use.
// A socket counts if it is bound to one of the sources or to any address. TCP
// sockets in TIME-WAIT count only when their peer is one of the destinations:
// they hold nothing but that one flow, and a busy client has tens of thousands.
std::vector<std::uint16_t> held_ports(std::span<const LocalSocket> sockets,
                                      std::span<const probe::Destination> destinations);

// The same for this host now; empty for ICMP. Throws SetupError.
std::vector<std::uint16_t> read_held_ports(probe::Protocol protocol, std::span<const probe::Destination> destinations);

// Holds UDP ports with sockets that drop whatever comes, until it is destroyed.
class UdpPortHolder {
 public:
  // Every port on the source of every destination. Raises the soft limit of
  // open files to the hard one if needed. Does not throw for ports it can't get.
  UdpPortHolder(std::span<const probe::Destination> destinations, std::span<const std::uint16_t> ports);
  ~UdpPortHolder();
  UdpPortHolder(const UdpPortHolder&) = delete;
  UdpPortHolder& operator=(const UdpPortHolder&) = delete;

  std::size_t held_count() const;
  // Ports that another socket holds on one of the sources, ascending.
  const std::vector<std::uint16_t>& in_use() const { return in_use_; }
  // Ports that were not tried or failed otherwise: no more open files allowed.
  std::size_t not_held_count() const { return not_held_; }

 private:
  std::vector<int> descriptors_;
  std::vector<std::uint16_t> in_use_;
  std::size_t not_held_ = 0;
};

}  // namespace volley::net

// Tests which local sockets stand in the way of probes, from the text of the
// kernel's tables, and that held UDP ports are held. Uses loopback sockets.
#include "volley/net/held_ports.h"

#include <catch2/catch.hpp>

using namespace volley;
using namespace volley::net;
using wire::parse_address;

namespace {

// Lines as the kernel prints them on a little-endian machine (proc(5)).
constexpr const char* kTcp =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n"
    "   1: 0100007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1 0 100 0 0 10 0\n"
    "   2: 0903000A:9C41 0703000A:01BB 01 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1\n"
    "   3: 0903000A:9C42 0703000A:01BB 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n"
    "   4: 0903000A:9C43 0803000A:01BB 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n"
    "   5: nonsense\n";
constexpr const char* kTcp6 =
    "  sl  local_address                         remote_address                        st\n"
    "   0: 00000000000000000000000000000000:0016 00000000000000000000000000000000:0000 0A 0:0\n"
    "   1: 0000000000000000FFFF00000903000A:9C44 0000000000000000FFFF00000703000A:01BB 01 0:0\n"
    "   2: B80D0120000000000000000001000000:9C45 B80D0120000000000000000002000000:01BB 01 0:0\n";

probe::Destination destination(const char* source, const char* address) {
  probe::Destination result;
  result.source = *parse_address(source);
  result.address = *parse_address(address);
  return result;
}

}  // namespace

TEST_CASE("the kernel's table is read, other lines are left out", "[net]") {
  const auto sockets = parse_socket_table(kTcp);
  REQUIRE(sockets.size() == 5);
  CHECK(sockets[0] == LocalSocket{*parse_address("0.0.0.0"), *parse_address("0.0.0.0"), 8080, 0, 10});
  CHECK(sockets[2] == LocalSocket{*parse_address("10.0.3.9"), *parse_address("10.0.3.7"), 40001, 443, 1});
  const auto v6 = parse_socket_table(kTcp6);
  REQUIRE(v6.size() == 3);
  CHECK(v6[1].local == parse_address("10.0.3.9"));
  CHECK(v6[2].local == parse_address("2001:db8::1"));
  CHECK(parse_socket_table("").empty());
}

TEST_CASE("a port is held by sockets on the source or on any address", "[net]") {
  auto sockets = parse_socket_table(kTcp);
  const auto v6 = parse_socket_table(kTcp6);
  sockets.insert(sockets.end(), v6.begin(), v6.end());
  const std::vector ours{destination("10.0.3.9", "10.0.3.7")};
  // Not: 40000 (loopback only), 40003 (time-wait towards another host), 40005 (another source).
  CHECK(held_ports(sockets, ours) == std::vector<std::uint16_t>{22, 8080, 40001, 40002, 40004});
  const std::vector theirs{destination("2001:db8::1", "2001:db8::2")};
  CHECK(held_ports(sockets, theirs) == std::vector<std::uint16_t>{22, 8080, 40005});
  CHECK(held_ports(sockets, {}).empty());
}

TEST_CASE("ICMP has no ports to hold", "[net]") {
  CHECK(read_held_ports(probe::Protocol::icmp, {}).empty());
}

TEST_CASE("held UDP ports are held once, and seen as held", "[net]") {
  const std::vector two{destination("127.0.0.1", "127.0.0.1"), destination("127.0.0.1", "127.0.0.2")};
  // Ports that are free here, as far as the system's list goes.
  const auto taken = read_held_ports(probe::Protocol::udp, two);
  std::vector<std::uint16_t> ports;
  for (std::uint16_t port = 42000; ports.size() < 20; ++port) {
    if (!std::binary_search(taken.begin(), taken.end(), port)) ports.push_back(port);
  }
  const UdpPortHolder first(two, ports);
  CHECK(first.held_count() == ports.size());
  CHECK(first.in_use().empty());
  CHECK(first.not_held_count() == 0);
  const UdpPortHolder second(two, ports);
  CHECK(second.held_count() == 0);
  CHECK(second.in_use() == ports);
  const auto seen = read_held_ports(probe::Protocol::udp, two);
  CHECK(std::includes(seen.begin(), seen.end(), ports.begin(), ports.end()));
}

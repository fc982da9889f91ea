// The network interfaces of this host: what they are, how they are stacked, and
// what they dropped.
//
// Read through rtnetlink, so any number of them, and those of the network
// namespace that the process is in. Values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "volley/wire/address.h"

namespace volley::net {

struct InterfaceAddress {
  wire::IpAddress address;
  std::uint8_t prefix_bits = 0;

  friend bool operator==(const InterfaceAddress&, const InterfaceAddress&) = default;
};

struct Interface {
  std::uint32_t index = 0;
  std::string name;
  std::uint16_t hardware_type = 0;  // ARPHRD_ number (if_arp.h): 1 Ethernet, 772 loopback, 65534 none (tun)
  std::uint32_t mtu_bytes = 0;
  bool is_up = false;       // administratively
  bool is_running = false;  // has carrier
  bool is_loopback = false;
  std::uint32_t master = 0;  // bridge, bond, VRF that it is a port of; 0: none
  std::uint32_t link = 0;    // device below a VLAN or macvlan, peer of a veth in this namespace; 0: none
  std::vector<InterfaceAddress> addresses;
};

// Throws SetupError if the kernel doesn't answer.
std::vector<Interface> list_interfaces();

// Throws SetupError ("interface eth7: no such interface").
Interface find_interface(std::string_view name);

// Pure, ascending: `index` and every device that lies above or below it. A frame
// that passes it may be seen at the others too.
std::vector<std::uint32_t> stacked_with(std::span<const Interface> interfaces, std::uint32_t index);

// Receive queues in use; 1 where the system doesn't say.
std::uint32_t receive_queue_count(const Interface& interface);

// The driver's name as ethtool has it ("veth", "virtio_net"); empty if unknown.
std::string driver_name(const std::string& interface_name);

// Counters since the interface came up; all grow.
struct InterfaceCounters {
  std::uint64_t rx_packets = 0;
  std::uint64_t tx_packets = 0;
  std::uint64_t rx_dropped = 0;        // no room or no use for the frame, in driver or stack
  std::uint64_t rx_missed_errors = 0;  // the NIC had no buffer: a receive queue overran
  std::uint64_t rx_fifo_errors = 0;
  std::uint64_t rx_over_errors = 0;
  std::uint64_t tx_dropped = 0;
  std::uint64_t tx_errors = 0;

  // Frames that came to the interface and that it lost.
  std::uint64_t rx_lost() const { return rx_dropped + rx_missed_errors + rx_fifo_errors + rx_over_errors; }
  friend bool operator==(const InterfaceCounters&, const InterfaceCounters&) = default;
};

// `later` minus `earlier`, a counter that went back (the interface was reset) counts as 0.
InterfaceCounters difference(const InterfaceCounters& later, const InterfaceCounters& earlier);

// Throws SetupError if the interface is gone.
InterfaceCounters read_counters(std::uint32_t interface_index);

}  // namespace volley::net

// Interfaces, their addresses, stacking and counters, through rtnetlink; queue
// counts and driver names from sysfs and ethtool. Any thread.
#include "volley/net/interfaces.h"

#include <linux/ethtool.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "volley/net/error.h"
#include "volley/net/netlink.h"

namespace volley::net {

namespace {

template <typename T>
std::span<const std::uint8_t> bytes_of(const T& value) {
  const void* start = &value;
  return {static_cast<const std::uint8_t*>(start), sizeof value};
}

std::vector<NetlinkMessage> dump(NetlinkSocket& socket, std::uint16_t type, std::span<const std::uint8_t> request) {
  std::vector<NetlinkMessage> answer;
  if (const int error = socket.ask(type, NLM_F_DUMP, request, answer); error != 0) {
    throw SetupError(describe_errno("list the network interfaces", error));
  }
  return answer;
}

std::optional<Interface> parse_link(const NetlinkMessage& message) {
  ifinfomsg info{};
  if (message.type != RTM_NEWLINK || message.payload.size() < sizeof info) return std::nullopt;
  std::memcpy(&info, message.payload.data(), sizeof info);
  const NetlinkAttributes attributes(std::span(message.payload).subspan(sizeof info));
  Interface interface;
  interface.index = static_cast<std::uint32_t>(info.ifi_index);
  interface.name = attributes.text(IFLA_IFNAME);
  interface.hardware_type = info.ifi_type;
  interface.mtu_bytes = attributes.number(IFLA_MTU).value_or(0);
  interface.is_up = (info.ifi_flags & IFF_UP) != 0;
  interface.is_running = (info.ifi_flags & IFF_RUNNING) != 0;
  interface.is_loopback = (info.ifi_flags & IFF_LOOPBACK) != 0;
  interface.master = attributes.number(IFLA_MASTER).value_or(0);
  // With a namespace id the index belongs to another namespace.
  if (!attributes.find(IFLA_LINK_NETNSID)) interface.link = attributes.number(IFLA_LINK).value_or(0);
  return interface;
}

void add_address(const NetlinkMessage& message, std::vector<Interface>& interfaces) {
  ifaddrmsg info{};
  if (message.type != RTM_NEWADDR || message.payload.size() < sizeof info) return;
  std::memcpy(&info, message.payload.data(), sizeof info);
  const NetlinkAttributes attributes(std::span(message.payload).subspan(sizeof info));
  // On a point-to-point link IFA_ADDRESS is the peer's, IFA_LOCAL ours; IPv6 has IFA_LOCAL only then.
  auto address = attributes.address(IFA_LOCAL);
  if (!address) address = attributes.address(IFA_ADDRESS);
  if (!address) return;
  for (Interface& interface : interfaces) {
    if (interface.index == info.ifa_index) interface.addresses.push_back({*address, info.ifa_prefixlen});
  }
}

// One ethtool request by ioctl; `data` is its structure.
bool ask_ethtool(const std::string& interface_name, void* data) {
  if (interface_name.size() >= IFNAMSIZ) return false;
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  ifreq request{};
  interface_name.copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_data = static_cast<char*>(data);
  const bool is_answered = ioctl(descriptor, SIOCETHTOOL, &request) == 0;
  close(descriptor);
  return is_answered;
}

// sysfs shows the namespace that mounted it, which need not be ours: the index tells.
std::optional<std::uint32_t> queues_by_sysfs(const Interface& interface) {
  const std::filesystem::path directory = std::filesystem::path("/sys/class/net") / interface.name;
  std::ifstream index_file(directory / "ifindex");
  std::uint32_t index = 0;
  if (!(index_file >> index) || index != interface.index) return std::nullopt;
  std::error_code error;
  std::uint32_t queues = 0;
  for (auto entry = std::filesystem::directory_iterator(directory / "queues", error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename().native().starts_with("rx-")) ++queues;
  }
  if (error || queues == 0) return std::nullopt;
  return queues;
}

std::optional<std::uint32_t> queues_by_ethtool(const Interface& interface) {
  ethtool_channels channels{};
  channels.cmd = ETHTOOL_GCHANNELS;
  if (!ask_ethtool(interface.name, &channels)) return std::nullopt;
  const std::uint32_t queues = channels.rx_count + channels.combined_count;
  if (queues == 0) return std::nullopt;
  return queues;
}

std::uint64_t grown(std::uint64_t later, std::uint64_t earlier) {
  return later > earlier ? later - earlier : 0;
}

}  // namespace

std::vector<Interface> list_interfaces() {
  NetlinkSocket socket;
  ifinfomsg links{};
  links.ifi_family = AF_UNSPEC;
  std::vector<Interface> interfaces;
  for (const NetlinkMessage& message : dump(socket, RTM_GETLINK, bytes_of(links))) {
    if (auto interface = parse_link(message)) interfaces.push_back(std::move(*interface));
  }
  ifaddrmsg addresses{};
  addresses.ifa_family = AF_UNSPEC;
  for (const NetlinkMessage& message : dump(socket, RTM_GETADDR, bytes_of(addresses))) {
    add_address(message, interfaces);
  }
  return interfaces;
}

Interface find_interface(std::string_view name) {
  for (Interface& interface : list_interfaces()) {
    if (interface.name == name) return std::move(interface);
  }
  throw SetupError("interface " + std::string(name) + ": no such interface");
}

std::vector<std::uint32_t> stacked_with(std::span<const Interface> interfaces, std::uint32_t index) {
  // A port lies below its master, a VLAN or macvlan above its link. Both
  // directions are followed apart: what shares only the device above or below
  // (the other port of a VRF, another VLAN) has frames of its own.
  enum class Way { up, down };
  const auto add_reachable = [&](std::vector<std::uint32_t>& reached, Way way) {
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::uint32_t current = reached[next];
      const auto add = [&reached](std::uint32_t other) {
        if (other != 0 && std::find(reached.begin(), reached.end(), other) == reached.end()) reached.push_back(other);
      };
      for (const Interface& interface : interfaces) {
        if (interface.index == current) add(way == Way::up ? interface.master : interface.link);
        if ((way == Way::up ? interface.link : interface.master) == current) add(interface.index);
      }
    }
  };
  std::vector<std::uint32_t> above{index};
  add_reachable(above, Way::up);
  std::vector<std::uint32_t> stack{index};
  add_reachable(stack, Way::down);
  stack.insert(stack.end(), above.begin(), above.end());
  std::sort(stack.begin(), stack.end());
  stack.erase(std::unique(stack.begin(), stack.end()), stack.end());
  return stack;
}

std::uint32_t receive_queue_count(const Interface& interface) {
  if (const auto queues = queues_by_sysfs(interface)) return *queues;
  return queues_by_ethtool(interface).value_or(1);
}

std::string driver_name(const std::string& interface_name) {
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  if (!ask_ethtool(interface_name, &info)) return {};
  return {info.driver, strnlen(info.driver, sizeof info.driver)};
}

InterfaceCounters difference(const InterfaceCounters& later, const InterfaceCounters& earlier) {
  return {grown(later.rx_packets, earlier.rx_packets),         grown(later.tx_packets, earlier.tx_packets),
          grown(later.rx_dropped, earlier.rx_dropped),         grown(later.rx_missed_errors, earlier.rx_missed_errors),
          grown(later.rx_fifo_errors, earlier.rx_fifo_errors), grown(later.rx_over_errors, earlier.rx_over_errors),
          grown(later.tx_dropped, earlier.tx_dropped),         grown(later.tx_errors, earlier.tx_errors)};
}

InterfaceCounters read_counters(std::uint32_t interface_index) {
  NetlinkSocket socket;
  ifinfomsg request{};
  request.ifi_family = AF_UNSPEC;
  request.ifi_index = static_cast<int>(interface_index);
  std::vector<NetlinkMessage> answer;
  const int error = socket.ask(RTM_GETLINK, 0, bytes_of(request), answer);
  const std::string what = "read the counters of interface " + std::to_string(interface_index);
  if (error != 0) throw SetupError(describe_errno(what, error));
  if (answer.empty() || answer.front().payload.size() < sizeof request) throw SetupError(what + ": no answer");
  const auto& payload = answer.front().payload;
  const auto value = NetlinkAttributes(std::span(payload).subspan(sizeof request)).find(IFLA_STATS64);
  rtnl_link_stats64 stats{};
  if (!value) throw SetupError(what + ": the kernel has none");
  std::memcpy(&stats, value->data(), std::min(value->size(), sizeof stats));
  return {stats.rx_packets,     stats.tx_packets,     stats.rx_dropped, stats.rx_missed_errors,
          stats.rx_fifo_errors, stats.rx_over_errors, stats.tx_dropped, stats.tx_errors};
}

}  // namespace volley::net

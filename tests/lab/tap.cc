// Makes and describes TAP devices. See the header for threads.
#include "tap.h"

#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/if_link.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace lab {
namespace {

// A stall of 200 ms at 60,000 frames/s still fits.
constexpr int kRingFrames = 16384;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

class FileDescriptor {
 public:
  FileDescriptor(int fd, const std::string& what) : fd_(fd) {
    if (fd < 0) {
      fail(what);
    }
  }
  ~FileDescriptor() { close(fd_); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

int open_namespace(const std::string& name) {
  const int fd = open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    fail("open network namespace " + name);
  }
  return fd;
}

// The calling thread is in the namespace while this lives.
class InNamespace {
 public:
  explicit InNamespace(int there)
      : home_(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "open own network namespace") {
    if (setns(there, CLONE_NEWNET) != 0) {
      fail("enter a network namespace");
    }
  }
  // Nothing can be done where the way home fails: later set-up would name the wrong place.
  ~InNamespace() {
    if (setns(home_.get(), CLONE_NEWNET) != 0) {
      std::terminate();
    }
  }
  InNamespace(const InNamespace&) = delete;
  InNamespace& operator=(const InNamespace&) = delete;

 private:
  FileDescriptor home_;
};

ifreq request_for(const std::string& device) {
  ifreq request{};
  if (device.empty() || device.size() >= sizeof request.ifr_name) {
    throw std::invalid_argument("device name '" + device + "' is empty or too long");
  }
  std::copy(device.begin(), device.end(), static_cast<char*>(request.ifr_name));
  return request;
}

DeviceDrops read_drops(const std::string& device) {
  DeviceDrops drops;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) {
    fail("read counters of " + device);
  }
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == AF_PACKET && entry->ifa_data != nullptr &&
        device == entry->ifa_name) {
      rtnl_link_stats stats{};
      std::memcpy(&stats, entry->ifa_data, sizeof stats);
      drops.ring_full = stats.tx_dropped;
      drops.refused = std::uint64_t{stats.rx_dropped} + stats.rx_errors;
    }
  }
  freeifaddrs(list);
  return drops;
}

}  // namespace

std::array<std::uint8_t, 6> parse_mac(const std::string& text) {
  std::array<unsigned, 6> parts{};
  char rest = 0;
  const int read = std::sscanf(text.c_str(), "%2x:%2x:%2x:%2x:%2x:%2x%c", &parts[0], &parts[1], &parts[2], &parts[3],
                               &parts[4], &parts[5], &rest);
  if (read != static_cast<int>(parts.size()) || (parts[0] & 1U) != 0) {
    throw std::invalid_argument("'" + text + "' is not the hardware address of one device");
  }
  std::array<std::uint8_t, 6> mac{};
  std::transform(parts.begin(), parts.end(), mac.begin(),
                 [](unsigned part) { return static_cast<std::uint8_t>(part); });
  return mac;
}

Tap::Tap(TapConfig config) : config_(std::move(config)), namespace_(open_namespace(config_.netns)) {
  try {
    const InNamespace inside(namespace_);
    open_queues();
    set_up();
    before_ = read_drops(config_.device);
  } catch (...) {
    close_all();
    throw;
  }
}

Tap::~Tap() {
  close_all();
}

void Tap::close_all() {
  std::for_each(queues_.begin(), queues_.end(), close);
  close(namespace_);
}

void Tap::open_queues() {
  for (std::size_t queue = 0; queue < config_.queues; ++queue) {
    const int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
      fail("open /dev/net/tun");
    }
    queues_.push_back(fd);
    ifreq request = request_for(config_.device);
    request.ifr_flags = static_cast<short>(IFF_TAP | IFF_NO_PI | IFF_MULTI_QUEUE);
    if (ioctl(fd, TUNSETIFF, &request) != 0) {
      fail("make queue " + std::to_string(queue) + " of " + config_.device);
    }
  }
}

void Tap::set_up() const {
  const FileDescriptor control(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket for " + config_.device);
  const auto apply = [&](unsigned long operation, ifreq& request, const char* what) {
    if (ioctl(control.get(), operation, &request) != 0) {
      fail(std::string("set ") + what + " of " + config_.device);
    }
  };
  ifreq request = request_for(config_.device);
  request.ifr_qlen = kRingFrames;
  apply(SIOCSIFTXQLEN, request, "transmit queue length");
  request = request_for(config_.device);
  request.ifr_mtu = config_.mtu;
  apply(SIOCSIFMTU, request, "MTU");
  request = request_for(config_.device);
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  std::copy(config_.mac.begin(), config_.mac.end(), static_cast<char*>(request.ifr_hwaddr.sa_data));
  apply(SIOCSIFHWADDR, request, "hardware address");
  request = request_for(config_.device);
  request.ifr_flags = static_cast<short>(IFF_UP | IFF_MULTICAST);
  apply(SIOCSIFFLAGS, request, "state up");
}

DeviceDrops Tap::drops() const {
  const InNamespace inside(namespace_);
  const DeviceDrops now = read_drops(config_.device);
  return {now.ring_full - before_.ring_full, now.refused - before_.refused};
}

}  // namespace lab

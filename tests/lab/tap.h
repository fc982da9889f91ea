// One multi-queue TAP device inside a named network namespace.
//
// The device lives as long as the object, and so does the namespace even if its
// name is removed. The queues are non-blocking file descriptors; a frame written
// to queue q is received by the kernel as from hardware queue q. Made and used by
// one thread, which the constructor and drops() move into the namespace and back.
// Throws std::system_error with the operation and the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lab {

struct TapConfig {
  std::string netns;  // a name under /run/netns
  std::string device;
  std::array<std::uint8_t, 6> mac{};
  std::size_t queues = 1;
  int mtu = 1500;
};

// Frames that the kernel dropped at the device since it was made.
struct DeviceDrops {
  std::uint64_t ring_full = 0;  // sent by the kernel, never read: the ring to the NIC was full
  std::uint64_t refused = 0;    // written by the NIC, refused by the kernel
};

// "02:00:00:00:00:01". Throws std::invalid_argument.
std::array<std::uint8_t, 6> parse_mac(const std::string& text);

class Tap {
 public:
  explicit Tap(TapConfig config);
  ~Tap();
  Tap(const Tap&) = delete;
  Tap& operator=(const Tap&) = delete;

  const TapConfig& config() const { return config_; }
  const std::vector<int>& queues() const { return queues_; }
  DeviceDrops drops() const;

 private:
  void open_queues();
  void set_up() const;
  void close_all();

  TapConfig config_;
  int namespace_;
  std::vector<int> queues_;
  DeviceDrops before_;
};

}  // namespace lab

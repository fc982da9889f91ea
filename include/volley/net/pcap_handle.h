// One live libpcap handle: opened, filtered, put into a fanout group, drained,
// read, counted.
//
// Invariant: non-blocking, nanosecond stamps where the system has them, memory-
// mapped ring of fixed slots. Needs CAP_NET_RAW while it is made only. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "volley/probe/frame_source.h"
#include "volley/wire/link_type.h"

struct pcap;  // libpcap's pcap_t

namespace volley::net {

struct PcapHandleOptions {
  enum class Device : std::uint8_t { one_interface, any };
  enum class Takes : std::uint8_t { departures, arrivals, both };

  Device device = Device::one_interface;
  std::string interface_name;  // of one_interface
  Takes takes = Takes::both;
  std::string filter;
  std::uint32_t snap_bytes = 0;
  std::size_t ring_bytes = 0;
};

// Bytes that a frame of at most `snap_bytes` takes in the ring.
std::uint32_t ring_slot_bytes(std::uint32_t snap_bytes);

class PcapHandle {
 public:
  // Throws PermissionError or SetupError ("open capture on eth0: ...").
  explicit PcapHandle(const PcapHandleOptions& options);
  ~PcapHandle();
  PcapHandle(const PcapHandle&) = delete;
  PcapHandle& operator=(const PcapHandle&) = delete;

  // Makes a fanout group by queue mapping and returns its id, or joins the
  // group of that id. Members are numbered in the order of joining.
  std::uint16_t make_fanout_group();
  void join_fanout_group(std::uint16_t group);

  // Throws away what the ring holds and forgets what was counted.
  void drain();

  // Hands over what the ring holds, at most one ring full. The link type,
  // stamp and lengths of `frame` are filled in, the rest is as the caller set
  // it; on the "any" device the origin too. Returns the number of frames.
  std::size_t read(probe::CapturedFrame frame, probe::FrameHandler& handler);

  // Adds what the kernel counted since the last call.
  void add_counts(probe::CaptureCounters& counters);

  int descriptor() const { return descriptor_; }  // -1 once it has failed
  wire::LinkType link_type() const { return link_type_; }
  const std::string& link_name() const { return link_name_; }  // as libpcap has it: "EN10MB"
  bool has_nanoseconds() const { return has_nanoseconds_; }
  const std::string& failure() const { return failure_; }

 private:
  void activate(const PcapHandleOptions& options);
  void set_filter(const PcapHandleOptions& options);
  void join(std::optional<std::uint16_t> group);

  pcap* pcap_ = nullptr;
  std::string what_;  // "capture on eth0"
  int descriptor_ = -1;
  int slots_ = 0;
  bool is_any_device_ = false;
  bool has_nanoseconds_ = false;
  wire::LinkType link_type_ = wire::LinkType::ethernet;
  std::string link_name_;
  std::string failure_;
};

}  // namespace volley::net

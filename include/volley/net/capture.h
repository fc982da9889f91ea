// The live FrameSource: libpcap handles for what leaves and what comes in.
//
// For each interface that probes leave by: one handle for departures, and one
// for arrivals, or one for each receive queue where the queue can be observed
// (a packet fanout group by queue mapping). One more handle sees the replies
// that come in, and the probes that leave, by any other interface. Loopback has
// one handle, and each frame is seen once there.
//
// Invariant: the constructor returns with every handle capturing and nothing
// but matching frames in the rings. Made in the main thread (it needs
// CAP_NET_RAW), then used by the receiver thread alone; it needs no capability.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "volley/probe/frame_source.h"

namespace volley::net {

struct CaptureOptions {
  std::vector<std::uint32_t> interfaces;  // indices, without repeats: where the probes leave
  // pcap filter texts for both directions, without direction keywords.
  std::string departures_filter;
  std::string arrivals_filter;
  double rate_pps = 0;  // sizes the rings; 0: as fast as the machine goes
  // Enough for an ICMPv6 error that quotes an IPv6 TCP header, VLAN-tagged, with all their options.
  std::uint32_t snap_bytes = 192;
};

class LibpcapSource final : public probe::FrameSource {
 public:
  // Throws PermissionError or SetupError ("open capture on eth0: ...").
  explicit LibpcapSource(const CaptureOptions& options);
  ~LibpcapSource() override;
  LibpcapSource(const LibpcapSource&) = delete;
  LibpcapSource& operator=(const LibpcapSource&) = delete;

  std::size_t poll(std::chrono::nanoseconds wait, probe::FrameHandler& handler) override;
  std::chrono::nanoseconds hold_back() const override;
  probe::CaptureCounters counters() override;

  // What is less than wished for, in sentences for the user: coarse stamps, no queue numbers.
  const std::vector<std::string>& notes() const;
  // Receive queues that replies are told apart by; 0: not observed.
  std::uint32_t observed_queues() const;
  // All rings together.
  std::size_t ring_bytes() const;
  // The link type of the first interface's handle, as libpcap names it ("EN10MB").
  std::string_view link_name() const;
  // Why a handle stopped ("capture on eth0: the interface disappeared"); empty while all work.
  const std::string& failure() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::net

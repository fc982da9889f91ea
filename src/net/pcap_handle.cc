// libpcap handles on live interfaces. Opened by the main thread, read by the receiver's.
#include "volley/net/pcap_handle.h"

#include <linux/if_packet.h>
#include <pcap/pcap.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "volley/net/error.h"
#include "volley/net/link_types.h"
#include "volley/net/privileges.h"

namespace volley::net {

namespace {

// Since Linux 6.2; older kernels refuse it, older headers lack the name.
constexpr int kFanoutIgnoreOutgoing = 0x4000;

// Cooked v2 header (LINKTYPE_LINUX_SLL2): byte 10 is the packet type, 4 is outgoing.
constexpr std::size_t kSll2PacketType = 10;
constexpr std::uint8_t kSll2Outgoing = 4;

struct ReadContext {
  probe::CapturedFrame frame;
  probe::FrameHandler* handler = nullptr;
  bool origin_from_header = false;
};

void on_packet(u_char* user, const pcap_pkthdr* header, const u_char* bytes) {
  void* untyped = user;
  ReadContext& context = *static_cast<ReadContext*>(untyped);
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  probe::CapturedFrame& frame = context.frame;
  // With nanosecond precision tv_usec holds nanoseconds; libpcap scales coarser stamps itself.
  frame.time_ns = static_cast<std::int64_t>(header->ts.tv_sec) * kNsPerSecond + header->ts.tv_usec;
  frame.bytes = {bytes, header->caplen};
  frame.wire_length = header->len;
  if (context.origin_from_header && header->caplen > kSll2PacketType) {
    frame.origin =
        bytes[kSll2PacketType] == kSll2Outgoing ? probe::FrameOrigin::departure : probe::FrameOrigin::arrival;
  }
  context.handler->on_frame(frame);
}

void ignore_packet(u_char*, const pcap_pkthdr*, const u_char*) {}

// What libpcap says, once: activation errors carry their text in two places.
std::string activation_error(pcap* handle, int status) {
  const std::string detail = pcap_geterr(handle);
  const std::string kind = pcap_statustostr(status);
  if (status == PCAP_ERROR || detail.find(kind) != std::string::npos) return detail;
  return detail.empty() ? kind : kind + " (" + detail + ")";
}

pcap_direction_t direction_of(PcapHandleOptions::Takes takes) {
  switch (takes) {
    case PcapHandleOptions::Takes::departures:
      return PCAP_D_OUT;
    case PcapHandleOptions::Takes::arrivals:
      return PCAP_D_IN;
    case PcapHandleOptions::Takes::both:
      return PCAP_D_INOUT;
  }
  return PCAP_D_INOUT;
}

}  // namespace

std::uint32_t ring_slot_bytes(std::uint32_t snap_bytes) {
  // TPACKET_V2 slots: header and address, the frame from where its IP header is
  // aligned, room for a VLAN tag (packet_mmap.rst; libpcap rounds alike or below this).
  constexpr std::uint32_t kAlignment = TPACKET_ALIGNMENT;
  constexpr std::uint32_t kOffset = 6 * kAlignment;
  return (kOffset + snap_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

PcapHandle::PcapHandle(const PcapHandleOptions& options)
    : is_any_device_(options.device == PcapHandleOptions::Device::any) {
  const std::string device = is_any_device_ ? "any" : options.interface_name;
  what_ = is_any_device_ ? "capture on all interfaces" : "capture on " + device;
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  pcap_ = pcap_create(device.c_str(), error.data());
  if (pcap_ == nullptr) throw SetupError("open " + what_ + ": " + error.data());
  try {
    activate(options);
    set_filter(options);
  } catch (...) {
    pcap_close(pcap_);
    throw;
  }
}

PcapHandle::~PcapHandle() {
  pcap_close(pcap_);
}

void PcapHandle::activate(const PcapHandleOptions& options) {
  pcap_set_snaplen(pcap_, static_cast<int>(options.snap_bytes));
  pcap_set_promisc(pcap_, 0);
  // Frames can be read at once, and the ring has slots of equal size.
  pcap_set_immediate_mode(pcap_, 1);
  pcap_set_buffer_size(pcap_, static_cast<int>(options.ring_bytes));
  pcap_set_tstamp_precision(pcap_, PCAP_TSTAMP_PRECISION_NANO);
  slots_ = static_cast<int>(options.ring_bytes / ring_slot_bytes(options.snap_bytes)) + 1;
  const int status = pcap_activate(pcap_);
  if (status == PCAP_ERROR_PERM_DENIED) throw PermissionError(net_raw_missing());
  if (status < 0) throw SetupError("open " + what_ + ": " + activation_error(pcap_, status));
  has_nanoseconds_ = pcap_get_tstamp_precision(pcap_) == PCAP_TSTAMP_PRECISION_NANO;
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  if (pcap_setnonblock(pcap_, 1, error.data()) < 0) throw SetupError("open " + what_ + ": " + error.data());
  descriptor_ = pcap_get_selectable_fd(pcap_);
  // While any socket wants it the kernel stamps each frame where it comes in
  // from the driver, before queues to other CPUs, and all captures see that stamp.
  const int on = 1;
  setsockopt(descriptor_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (is_any_device_ && pcap_set_datalink(pcap_, DLT_LINUX_SLL2) != 0) {
    throw SetupError("open " + what_ + ": " + pcap_geterr(pcap_));
  }
  const int dlt = pcap_datalink(pcap_);
  const auto type = link_type_of(dlt);
  if (!type) throw SetupError("open " + what_ + ": link type " + link_type_name(dlt) + " is not supported");
  link_type_ = *type;
  link_name_ = link_type_name(dlt);
  if (pcap_setdirection(pcap_, direction_of(options.takes)) != 0) {
    throw SetupError("open " + what_ + ": direction: " + pcap_geterr(pcap_));
  }
  if (options.takes == PcapHandleOptions::Takes::arrivals) {
    // Spares the ring what libpcap would throw away; since Linux 4.20.
    setsockopt(descriptor_, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on);
  }
}

void PcapHandle::set_filter(const PcapHandleOptions& options) {
  bpf_program program{};
  if (pcap_compile(pcap_, &program, options.filter.c_str(), 1, PCAP_NETMASK_UNKNOWN) != 0) {
    throw SetupError("open " + what_ + ": filter: " + pcap_geterr(pcap_));
  }
  const int status = pcap_setfilter(pcap_, &program);
  pcap_freecode(&program);
  if (status != 0) throw SetupError("open " + what_ + ": filter: " + pcap_geterr(pcap_));
}

void PcapHandle::join(std::optional<std::uint16_t> group) {
  constexpr unsigned kTypeShift = 16;
  // The kernel may well choose 0 as the unique id: the flag alone asks for a new group.
  const int unique = group ? 0 : PACKET_FANOUT_FLAG_UNIQUEID;
  for (const int flags : {unique | kFanoutIgnoreOutgoing, unique}) {
    const unsigned argument = group.value_or(0) | (static_cast<unsigned>(PACKET_FANOUT_QM | flags) << kTypeShift);
    if (setsockopt(descriptor_, SOL_PACKET, PACKET_FANOUT, &argument, sizeof argument) == 0) return;
  }
  throw SetupError(describe_errno("open " + what_ + ": share by receive queue", errno));
}

std::uint16_t PcapHandle::make_fanout_group() {
  join(std::nullopt);
  constexpr unsigned kIdMask = 0xffff;
  unsigned value = 0;
  socklen_t length = sizeof value;
  if (getsockopt(descriptor_, SOL_PACKET, PACKET_FANOUT, &value, &length) != 0) {
    throw SetupError(describe_errno("open " + what_ + ": share by receive queue", errno));
  }
  return static_cast<std::uint16_t>(value & kIdMask);
}

void PcapHandle::join_fanout_group(std::uint16_t group) {
  join(group);
}

void PcapHandle::drain() {
  pcap_dispatch(pcap_, slots_, ignore_packet, nullptr);
  probe::CaptureCounters forgotten;
  add_counts(forgotten);
}

std::size_t PcapHandle::read(probe::CapturedFrame frame, probe::FrameHandler& handler) {
  if (descriptor_ < 0) return 0;
  frame.link_type = link_type_;
  ReadContext context{frame, &handler, is_any_device_};
  void* untyped = &context;
  const int count = pcap_dispatch(pcap_, slots_, on_packet, static_cast<u_char*>(untyped));
  if (count >= 0) return static_cast<std::size_t>(count);
  failure_ = what_ + ": " + pcap_geterr(pcap_);
  descriptor_ = -1;
  return 0;
}

void PcapHandle::add_counts(probe::CaptureCounters& counters) {
  if (descriptor_ < 0) return;
  // What pcap_stats() asks too; it would also read files of the interface's driver each time.
  tpacket_stats stats{};
  socklen_t length = sizeof stats;
  if (getsockopt(descriptor_, SOL_PACKET, PACKET_STATISTICS, &stats, &length) != 0) return;
  counters.received += stats.tp_packets - stats.tp_drops;
  counters.dropped += stats.tp_drops;
}

}  // namespace volley::net

// The reference loops' capture: a TPACKET_V3 ring (see the header).
#include "reference_ring.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace bench {

namespace {

// Small blocks: each is handed over after a millisecond however little it holds,
// so that their number is how long the receiver may be kept from its CPU.
constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
constexpr std::size_t kBlocks = 256;
constexpr unsigned kFrameBytes = 256;     // of the ring's arithmetic only
constexpr unsigned kRetireMs = 1;         // a block that isn't full is handed over after this
constexpr std::uint32_t kSnapBytes = 96;  // headers

// TCP over IPv4 without IP options, SYN set, whatever the direction.
constexpr std::array<sock_filter, 8> kSynFilter{{
    {BPF_LD | BPF_H | BPF_ABS, 0, 0, 12},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 5, ETH_P_IP},
    {BPF_LD | BPF_B | BPF_ABS, 0, 0, 14 + 9},
    {BPF_JMP | BPF_JEQ | BPF_K, 0, 3, IPPROTO_TCP},
    {BPF_LD | BPF_B | BPF_ABS, 0, 0, 14 + 20 + 13},
    {BPF_JMP | BPF_JSET | BPF_K, 0, 1, 0x02},
    {BPF_RET | BPF_K, 0, 0, kSnapBytes},
    {BPF_RET | BPF_K, 0, 0, 0},
}};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

template <typename T>
void set_option(int descriptor, int level, int name, const T& value, const char* what) {
  if (setsockopt(descriptor, level, name, &value, sizeof value) != 0) fail(what);
}

// Where a frame's address follows its header.
constexpr std::size_t kAddressOffset =
    (sizeof(tpacket3_hdr) + TPACKET_ALIGNMENT - 1) / TPACKET_ALIGNMENT * TPACKET_ALIGNMENT;

// The ring's bytes as the kernel's structures.
template <typename T>
T* view(std::byte* at) {
  return static_cast<T*>(static_cast<void*>(at));
}

}  // namespace

CaptureRing::CaptureRing(const std::string& interface_name, Departures departures) {
  descriptor_ = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) fail("open the capture");
  try {
    set_up(interface_name, departures);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

CaptureRing::~CaptureRing() {
  munmap(ring_, kBlockBytes * kBlocks);
  close(descriptor_);
}

void CaptureRing::set_up(const std::string& interface_name, Departures departures) {
  auto program = kSynFilter;
  set_option(descriptor_, SOL_SOCKET, SO_ATTACH_FILTER,
             sock_fprog{static_cast<unsigned short>(program.size()), program.data()}, "set the filter");
  set_option(descriptor_, SOL_PACKET, PACKET_VERSION, static_cast<int>(TPACKET_V3), "choose the ring's version");
  if (departures == Departures::ignored) {
    set_option(descriptor_, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, "ignore departures");
  }
  tpacket_req3 request{};
  request.tp_block_size = kBlockBytes;
  request.tp_block_nr = kBlocks;
  request.tp_frame_size = kFrameBytes;
  request.tp_frame_nr = kBlockBytes / kFrameBytes * kBlocks;
  request.tp_retire_blk_tov = kRetireMs;
  set_option(descriptor_, SOL_PACKET, PACKET_RX_RING, request, "make the ring");
  void* memory = mmap(nullptr, kBlockBytes * kBlocks, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) fail("map the ring");
  ring_ = static_cast<std::byte*>(memory);
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = static_cast<int>(if_nametoindex(interface_name.c_str()));
  const void* generic = &address;
  if (bind(descriptor_, static_cast<const sockaddr*>(generic), sizeof address) != 0) fail("bind the capture");
}

void CaptureRing::poll(int wait_ms) {
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  ::poll(&waiting, 1, wait_ms);
  for (;;) {
    std::byte* const bytes = ring_ + next_ * kBlockBytes;
    auto& status = view<tpacket_block_desc>(bytes)->hdr.bh1.block_status;
    if ((std::atomic_ref(status).load(std::memory_order_acquire) & TP_STATUS_USER) == 0) return;
    count_block(bytes);
    std::atomic_ref(status).store(TP_STATUS_KERNEL, std::memory_order_release);
    next_ = (next_ + 1) % kBlocks;
  }
}

void CaptureRing::count_block(std::byte* block) {
  const auto& header = view<tpacket_block_desc>(block)->hdr.bh1;
  std::byte* at = block + header.offset_to_first_pkt;
  for (std::uint32_t left = header.num_pkts; left > 0; --left) {
    const auto* frame = view<tpacket3_hdr>(at);
    const auto* address = view<sockaddr_ll>(at + kAddressOffset);
    ++(address->sll_pkttype == PACKET_OUTGOING ? counters_.departures : counters_.replies);
    at += frame->tp_next_offset;
  }
}

RingCounters CaptureRing::counters() {
  tpacket_stats_v3 statistics{};
  socklen_t length = sizeof statistics;
  if (getsockopt(descriptor_, SOL_PACKET, PACKET_STATISTICS, &statistics, &length) != 0) fail("read the ring's drops");
  counters_.dropped += statistics.tp_drops;
  return counters_;
}

}  // namespace bench

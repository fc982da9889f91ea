// The reference loops: what this machine can do at most, in the same run as the
// tools that are compared with it.
//
// One thread sends SYNs in batches of 64 as fast as it can; with --receive a
// second one counts the answers from a capture ring, and with
// --departures the SYNs too. Prints one JSON object.
#include <arpa/inet.h>
#include <getopt.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "reference_packet.h"
#include "reference_ring.h"

namespace {

using namespace bench;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBatch = 64;
constexpr std::uint16_t kFirstSourcePort = 32768;
constexpr std::chrono::milliseconds kLinger{500};  // for the last answers

struct Options {
  std::string interface_name;
  SynFields syn;
  double seconds = 1.0;
  bool is_raw = false;     // the raw IP socket in place of AF_PACKET
  bool is_bypass = false;  // past the queueing discipline
  bool receives = false;
  Departures departures = Departures::ignored;
};

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Mac parse_mac(const char* text) {
  std::array<unsigned, 6> parts{};
  if (std::sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &parts[5]) !=
      6) {
    throw std::invalid_argument(std::string("not a MAC address: ") + text);
  }
  Mac mac{};
  for (std::size_t at = 0; at < mac.size(); ++at) mac[at] = static_cast<std::uint8_t>(parts[at]);
  return mac;
}

in_addr parse_address(const char* text) {
  in_addr address{};
  if (inet_pton(AF_INET, text, &address) != 1) {
    throw std::invalid_argument(std::string("not an IPv4 address: ") + text);
  }
  return address;
}

Options parse(int argument_count, char** arguments) {
  static constexpr option kLong[] = {
      {"interface", required_argument, nullptr, 'i'},  {"source", required_argument, nullptr, 's'},
      {"target", required_argument, nullptr, 't'},     {"source-mac", required_argument, nullptr, 'S'},
      {"target-mac", required_argument, nullptr, 'T'}, {"port", required_argument, nullptr, 'p'},
      {"seconds", required_argument, nullptr, 'd'},    {"raw", no_argument, nullptr, 'r'},
      {"bypass", no_argument, nullptr, 'b'},           {"receive", no_argument, nullptr, 'R'},
      {"departures", no_argument, nullptr, 'D'},       {nullptr, 0, nullptr, 0}};
  Options options;
  for (int letter; (letter = getopt_long(argument_count, arguments, "", kLong, nullptr)) != -1;) {
    switch (letter) {
      case 'i':
        options.interface_name = optarg;
        break;
      case 's':
        options.syn.source = parse_address(optarg);
        break;
      case 't':
        options.syn.target = parse_address(optarg);
        break;
      case 'S':
        options.syn.source_mac = parse_mac(optarg);
        break;
      case 'T':
        options.syn.target_mac = parse_mac(optarg);
        break;
      case 'p':
        options.syn.port = static_cast<std::uint16_t>(std::stoul(optarg));
        break;
      case 'd':
        options.seconds = std::stod(optarg);
        break;
      case 'r':
        options.is_raw = true;
        break;
      case 'b':
        options.is_bypass = true;
        break;
      case 'R':
        options.receives = true;
        break;
      case 'D':
        options.departures = Departures::captured;
        break;
      default:
        throw std::invalid_argument("see the top of reference.cc");
    }
  }
  if (options.interface_name.empty()) throw std::invalid_argument("needs --interface");
  return options;
}

// Sends batches; every frame of one is patched anew.
class Sender {
 public:
  explicit Sender(const Options& options) : options_(options), frames_(kBatch, SynFrame(options.syn)) {
    if (options.is_raw) {
      open_raw();
    } else {
      open_packet();
    }
    for (std::size_t at = 0; at < kBatch; ++at) {
      const auto bytes = options.is_raw ? frames_[at].packet() : frames_[at].frame();
      // The kernel only reads what a send call points to.
      vectors_[at] = {const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
      messages_[at].msg_hdr.msg_iov = &vectors_[at];
      messages_[at].msg_hdr.msg_iovlen = 1;
      messages_[at].msg_hdr.msg_name = &address_;
      messages_[at].msg_hdr.msg_namelen = address_bytes_;
    }
  }
  ~Sender() { close(descriptor_); }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  // Frames that the kernel took.
  std::size_t send_batch() {
    for (SynFrame& frame : frames_) {
      const auto port = static_cast<std::uint16_t>(kFirstSourcePort + (number_ & 0x7fffU));
      // An odd factor: every number once a period, all bits changing.
      frame.patch(port, number_ * 0x9e3779b1U);
      ++number_;
    }
    const int sent = sendmmsg(descriptor_, messages_.data(), kBatch, 0);
    if (sent >= 0) return static_cast<std::size_t>(sent);
    if (errno == ENOBUFS || errno == EAGAIN) return 0;
    fail("send");
  }

 private:
  void open_raw() {
    descriptor_ = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_RAW);
    if (descriptor_ < 0) fail("open the raw socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr = options_.syn.target;
    std::memcpy(&address_, &address, sizeof address);
    address_bytes_ = sizeof address;
  }
  void open_packet() {
    descriptor_ = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (descriptor_ < 0) fail("open the packet socket");
    const int on = 1;
    if (options_.is_bypass && setsockopt(descriptor_, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) != 0) {
      fail("bypass the queueing discipline");
    }
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_IP);
    address.sll_ifindex = static_cast<int>(if_nametoindex(options_.interface_name.c_str()));
    std::memcpy(&address_, &address, sizeof address);
    address_bytes_ = sizeof address;
  }

  const Options& options_;
  int descriptor_ = -1;
  sockaddr_storage address_{};
  socklen_t address_bytes_ = 0;
  std::vector<SynFrame> frames_;
  std::array<iovec, kBatch> vectors_{};
  std::array<mmsghdr, kBatch> messages_{};
  std::uint32_t number_ = 0;
};

void run(const Options& options) {
  Sender sender(options);
  std::atomic<bool> is_over{false};
  RingCounters seen;
  std::jthread receiver;
  if (options.receives) {
    receiver = std::jthread([&, ring = std::make_unique<CaptureRing>(options.interface_name, options.departures)] {
      while (!is_over.load(std::memory_order_relaxed)) ring->poll(10);
      seen = ring->counters();
    });
  }
  std::uint64_t sent = 0;
  const auto start = Clock::now();
  const auto end = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
  auto now = start;
  for (; now < end; now = Clock::now()) sent += sender.send_batch();
  if (options.receives) {
    std::this_thread::sleep_for(kLinger);
    is_over.store(true, std::memory_order_relaxed);
    receiver.join();
  }
  std::printf("{\"sent\": %llu, \"replies\": %llu, \"departures\": %llu, \"dropped\": %llu, \"seconds\": %.6f}\n",
              static_cast<unsigned long long>(sent), static_cast<unsigned long long>(seen.replies),
              static_cast<unsigned long long>(seen.departures), static_cast<unsigned long long>(seen.dropped),
              std::chrono::duration<double>(now - start).count());
}

}  // namespace

int main(int argument_count, char** arguments) {
  try {
    run(parse(argument_count, arguments));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reference: %s\n", error.what());
    return 1;
  }
}

// The live source: which handles an interface needs, and how they are polled.
// Opened by the main thread, polled by the receiver thread.
#include "volley/net/capture.h"

#include <poll.h>

#include <algorithm>
#include <ctime>
#include <optional>

#include "volley/net/clock.h"
#include "volley/net/error.h"
#include "volley/net/interfaces.h"
#include "volley/net/pcap_handle.h"
#include "volley/net/queue_map.h"
#include "volley/net/ring_size.h"

namespace volley::net {

namespace {

// Between the stamp of a frame and its place in the ring the kernel has a few
// microseconds of work, more when the host takes this machine's CPU away.
constexpr std::chrono::nanoseconds kHoldBack = std::chrono::milliseconds(5);
// Frames are read in lots: waking for each costs more CPU than reading it, and
// that CPU may be the sender's. No time is lost by it, the stamps are the kernel's.
constexpr std::chrono::nanoseconds kLot = std::chrono::milliseconds(2);
// Reading interface counters costs a netlink request each.
constexpr std::chrono::nanoseconds kCounterAge = std::chrono::milliseconds(500);
constexpr std::uint32_t kCookedHeaderBytes = 20;  // LINKTYPE_LINUX_SLL2
// Members that a fanout group may have by default (PACKET_FANOUT_MAX).
constexpr std::uint32_t kMostMembers = 256;

timespec to_timespec(std::chrono::nanoseconds time) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  const std::int64_t ns = std::max<std::int64_t>(time.count(), 0);
  return {static_cast<time_t>(ns / kNsPerSecond), static_cast<long>(ns % kNsPerSecond)};
}

const Interface& interface_by_index(const std::vector<Interface>& interfaces, std::uint32_t index) {
  for (const Interface& interface : interfaces) {
    if (interface.index == index) return interface;
  }
  throw SetupError("open capture: interface " + std::to_string(index) + " is gone");
}

std::string either_of(const std::string& first, const std::string& second) {
  return "(" + first + ") or (" + second + ")";
}

}  // namespace

struct LibpcapSource::State {
  struct Reader {
    std::unique_ptr<PcapHandle> handle;
    probe::FrameOrigin origin = probe::FrameOrigin::either;
    std::optional<rss::QueueId> queue;
  };
  struct InterfaceTally {
    std::uint32_t index = 0;
    InterfaceCounters at_start;
    std::uint64_t lost = 0;
  };

  // How one interface's arrivals are split.
  struct Split {
    QueueMapping mapping = QueueMapping::unknown;
    std::uint32_t queues = 1;
    std::uint32_t members = 1;
  };

  Split split_of(const Interface& interface);
  void add(const PcapHandleOptions& options, probe::FrameOrigin origin, std::optional<rss::QueueId> queue);
  void open_interface(const Interface& interface, const Split& split, const RingSizes& sizes,
                      const CaptureOptions& options);
  void open_elsewhere(const std::vector<Interface>& all, const RingSizes& sizes, const CaptureOptions& options);
  void finish_opening();
  void refresh_interface_counters();

  std::vector<Reader> readers;  // departures before arrivals before elsewhere
  std::vector<pollfd> descriptors;
  std::vector<InterfaceTally> tallies;
  probe::CaptureCounters counters;
  std::int64_t tallied_ns = 0;
  std::vector<std::string> notes;
  std::string failure;
  std::string link_name;
  std::uint32_t observed_queues = 0;
  std::size_t ring_bytes = 0;
};

LibpcapSource::State::Split LibpcapSource::State::split_of(const Interface& interface) {
  if (interface.is_loopback) return {};
  const std::uint32_t queues = receive_queue_count(interface);
  if (queues <= 1) return {};
  const std::string driver = driver_name(interface.name);
  const QueueMapping mapping = queue_mapping_of(driver);
  const std::uint32_t members = fanout_members(mapping, queues);
  if (members >= 1 && members <= kMostMembers) return {mapping, queues, members};
  notes.push_back(
      interface.name + ": replies are not told apart by its " + std::to_string(queues) + " receive queues: " +
      (members == 0 ? "what driver " + (driver.empty() ? "(unknown)" : driver) + " records of them is unknown"
                    : "too many"));
  return {};
}

void LibpcapSource::State::add(const PcapHandleOptions& options, probe::FrameOrigin origin,
                               std::optional<rss::QueueId> queue) {
  readers.push_back({std::make_unique<PcapHandle>(options), origin, queue});
  ring_bytes += options.ring_bytes;
}

void LibpcapSource::State::open_interface(const Interface& interface, const Split& split, const RingSizes& sizes,
                                          const CaptureOptions& options) {
  using Takes = PcapHandleOptions::Takes;
  PcapHandleOptions handle;
  handle.interface_name = interface.name;
  handle.snap_bytes = options.snap_bytes;
  if (interface.is_loopback) {
    // libpcap shows each frame of lo once, as it comes in.
    handle.takes = Takes::both;
    handle.filter = either_of(options.departures_filter, options.arrivals_filter);
    handle.ring_bytes = sizes.departures_bytes + sizes.arrivals_bytes;
    add(handle, probe::FrameOrigin::either, std::nullopt);
  } else {
    handle.takes = Takes::departures;
    handle.filter = options.departures_filter;
    handle.ring_bytes = sizes.departures_bytes;
    add(handle, probe::FrameOrigin::departure, std::nullopt);
    handle.takes = Takes::arrivals;
    handle.filter = options.arrivals_filter;
    handle.ring_bytes = sizes.arrivals_bytes;
    std::uint16_t group = 0;
    for (std::uint32_t member = 0; member < split.members; ++member) {
      add(handle, probe::FrameOrigin::arrival, queue_of_member(split.mapping, member));
      if (split.members == 1) continue;
      PcapHandle& added = *readers.back().handle;
      if (member == 0) {
        group = added.make_fanout_group();
      } else {
        added.join_fanout_group(group);
      }
    }
    if (split.members > 1) observed_queues += split.queues;
  }
  if (!readers.back().handle->has_nanoseconds()) {
    notes.push_back(interface.name + ": stamps have microseconds only");
  }
}

void LibpcapSource::State::open_elsewhere(const std::vector<Interface>& all, const RingSizes& sizes,
                                          const CaptureOptions& options) {
  // Frames that pass a stack of devices (VLAN on bond on NIC) are seen at each: leave out all of it.
  std::vector<std::uint32_t> excluded;
  for (const std::uint32_t index : options.interfaces) {
    const auto stack = stacked_with(all, index);
    excluded.insert(excluded.end(), stack.begin(), stack.end());
  }
  std::string filter;
  for (const std::uint32_t index : excluded) {
    filter += (filter.empty() ? "not (ifindex " : " or ifindex ") + std::to_string(index);
  }
  PcapHandleOptions handle;
  handle.device = PcapHandleOptions::Device::any;
  handle.filter = filter + ") and (" + either_of(options.departures_filter, options.arrivals_filter) + ")";
  handle.snap_bytes = options.snap_bytes + kCookedHeaderBytes;
  handle.ring_bytes = sizes.elsewhere_bytes;
  add(handle, probe::FrameOrigin::either, std::nullopt);
}

// Frames that came before a ring's filter or its fanout group stood are not ours to count.
void LibpcapSource::State::finish_opening() {
  std::stable_sort(readers.begin(), readers.end(), [](const Reader& left, const Reader& right) {
    return left.origin == probe::FrameOrigin::departure && right.origin != probe::FrameOrigin::departure;
  });
  for (const Reader& reader : readers) {
    reader.handle->drain();
    descriptors.push_back({reader.handle->descriptor(), POLLIN, 0});
  }
}

void LibpcapSource::State::refresh_interface_counters() {
  const std::int64_t now = monotonic_ns();
  if (now - tallied_ns < kCounterAge.count()) return;
  tallied_ns = now;
  counters.interface_dropped = 0;
  for (InterfaceTally& tally : tallies) {
    try {
      tally.lost = difference(read_counters(tally.index), tally.at_start).rx_lost();
    } catch (const SetupError&) {
      // The interface is gone: what it had lost until then stays.
    }
    counters.interface_dropped += tally.lost;
  }
}

LibpcapSource::LibpcapSource(const CaptureOptions& options) : state_(std::make_unique<State>()) {
  const std::vector<Interface> all = list_interfaces();
  std::vector<State::Split> splits;
  RingRequest request;
  request.rate_pps = options.rate_pps;
  request.interfaces = static_cast<std::uint32_t>(options.interfaces.size());
  request.slot_bytes = ring_slot_bytes(options.snap_bytes + kCookedHeaderBytes);
  for (const std::uint32_t index : options.interfaces) {
    splits.push_back(state_->split_of(interface_by_index(all, index)));
    request.queue_rings = std::max(request.queue_rings, splits.back().members);
  }
  RingSizes sizes = size_rings(request);
  if (!sizes.is_within_budget && request.queue_rings > 1) {
    state_->notes.push_back("replies are not told apart by local receive queue: " +
                            std::to_string(request.queue_rings) + " rings would be too large at this rate");
    std::fill(splits.begin(), splits.end(), State::Split{});
    request.queue_rings = 1;
    sizes = size_rings(request);
  }
  bool has_elsewhere = false;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const Interface& interface = interface_by_index(all, options.interfaces[i]);
    state_->open_interface(interface, splits[i], sizes, options);
    if (i == 0) state_->link_name = state_->readers.front().handle->link_name();
    has_elsewhere = has_elsewhere || !interface.is_loopback;
    state_->tallies.push_back({interface.index, read_counters(interface.index), 0});
  }
  if (has_elsewhere) state_->open_elsewhere(all, sizes, options);
  state_->finish_opening();
}

LibpcapSource::~LibpcapSource() = default;

std::size_t LibpcapSource::poll(std::chrono::nanoseconds wait, probe::FrameHandler& handler) {
  State& state = *state_;
  timespec timeout = to_timespec(wait);
  int ready = ppoll(state.descriptors.data(), state.descriptors.size(), &timeout, nullptr);
  if (ready > 0 && wait.count() > 0) {
    const timespec lot = to_timespec(std::min(kLot, wait));
    clock_nanosleep(CLOCK_MONOTONIC, 0, &lot, nullptr);
    timeout = {};
    ready = ppoll(state.descriptors.data(), state.descriptors.size(), &timeout, nullptr);
  }
  if (ready <= 0) return 0;
  std::size_t frames = 0;
  for (std::size_t i = 0; i < state.readers.size(); ++i) {
    if (state.descriptors[i].revents == 0) continue;
    const State::Reader& reader = state.readers[i];
    probe::CapturedFrame frame;
    frame.origin = reader.origin;
    frame.local_queue = reader.queue;
    frames += reader.handle->read(frame, handler);
    if (reader.handle->descriptor() >= 0) continue;
    state.descriptors[i].fd = -1;  // poll leaves negative descriptors out
    if (state.failure.empty()) state.failure = reader.handle->failure();
  }
  return frames;
}

std::chrono::nanoseconds LibpcapSource::hold_back() const {
  return kHoldBack;
}

probe::CaptureCounters LibpcapSource::counters() {
  for (const State::Reader& reader : state_->readers) reader.handle->add_counts(state_->counters);
  state_->refresh_interface_counters();
  return state_->counters;
}

const std::vector<std::string>& LibpcapSource::notes() const {
  return state_->notes;
}

std::uint32_t LibpcapSource::observed_queues() const {
  return state_->observed_queues;
}

std::size_t LibpcapSource::ring_bytes() const {
  return state_->ring_bytes;
}

std::string_view LibpcapSource::link_name() const {
  return state_->link_name;
}

const std::string& LibpcapSource::failure() const {
  return state_->failure;
}

}  // namespace volley::net

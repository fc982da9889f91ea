// A network in memory with a virtual clock and known truth: the FrameSink and
// FrameSource of whole-pipeline tests.
//
// Between the sender and a Linux-like target lie two directions, each with an
// impairment that the test gives. The target holds half-open entries, sends its
// SYN-ACK again after 1, 3 and 7 s until it is reset, answers a new SYN on a
// half-open flow with a challenge ACK, resets closed ports, returns UDP and
// ICMP echoes. Our own kernel's resets are part of it. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "volley/probe/frame_sink.h"
#include "volley/probe/frame_source.h"
#include "volley/probe/generator.h"
#include "volley/probe/packet_builder.h"
#include "volley/probe/plan.h"
#include "volley/rss/config.h"
#include "volley/wire/packet.h"

namespace volley::sim {

inline constexpr std::int64_t kMicrosecond = 1'000;
inline constexpr std::int64_t kMillisecond = 1'000'000;
inline constexpr std::int64_t kSecond = 1'000'000'000;

// What becomes of one packet in one direction.
struct Fate {
  bool is_lost = false;
  std::int64_t delay_ns = 0;  // on top of the way's own
  int copies = 0;             // further ones
};

// Time since the start of the run.
using Impairment = std::function<Fate(const wire::DecodedPacket&, std::int64_t now_ns, probe::Generator&)>;

// Every packet alike.
Impairment lose(double share);
// Only the packets of `protocol` whose flow, as the target receives it, is
// hashed to `queue`.
Impairment on_queue(const rss::RssConfig& config, rss::QueueId queue, Impairment what);
// Two after each other.
Impairment both(Impairment first, Impairment second);

struct Target {
  std::set<std::uint16_t> open_tcp = {443};
  std::set<std::uint16_t> udp_echo = {443};
  bool is_silent = false;         // answers nothing
  bool uses_syn_cookies = false;  // keeps no half-open entries
  bool answers_echo = true;
};

struct Settings {
  std::int64_t one_way_ns = 50 * kMicrosecond;
  std::int64_t jitter_ns = 5 * kMicrosecond;
  Impairment forward;  // none: everything passes
  Impairment reverse;
  Target target;
  bool our_kernel_resets = true;
  // What happens on this host: the error that the write returns; a packet that
  // was written and never leaves; a frame that the capture misses.
  std::function<probe::NotSentReason(std::uint64_t packet)> write_error;
  std::function<bool(std::uint64_t packet)> is_dropped_locally;
  std::function<bool(std::uint64_t frame)> is_missed_by_capture;
  // Frames are seen once and without direction, as on loopback.
  bool sees_once = false;
  std::uint64_t seed = 1;
};

// What really happened; counts of packets.
struct Truth {
  std::uint64_t departed = 0;            // probes
  std::uint64_t forward_lost = 0;        // probes
  std::uint64_t delivered = 0;           // probes, copies left out
  std::uint64_t first_replies_lost = 0;  // first answers to a delivered probe, lost on the way back
  std::uint64_t first_replies_arrived = 0;
  std::uint64_t syn_acks_resent = 0;  // that arrived
  std::uint64_t challenges_sent = 0;
  std::uint64_t challenges_arrived = 0;
  std::uint64_t resets_lost = 0;
  std::uint64_t copies_arrived = 0;                // of answers
  std::map<rss::QueueId, std::uint64_t> by_queue;  // probes at the target, when its RSS is given
};

class SimulatedNetwork final : public probe::FrameSink, public probe::FrameSource {
 public:
  explicit SimulatedNetwork(Settings settings);

  // Runs the network until then. Time since the start of the run.
  void advance(std::int64_t now_ns);
  std::int64_t now_ns() const { return now_ns_; }
  // The wall clock of stamps; `step_wall` sets it to another time.
  std::int64_t wall_ns() const { return wall_offset_ns_ + now_ns_; }
  void step_wall(std::int64_t step_ns) { wall_offset_ns_ += step_ns; }

  const Truth& truth() const { return truth_; }
  std::size_t half_open_entries() const { return half_open_.size(); }
  // Frames as they are handed over: for capture files and replays.
  std::function<void(const probe::CapturedFrame&)> on_captured;

  // FrameSink
  void send(std::span<probe::OutgoingPacket> packets) override;
  // FrameSource: arrivals are handed over before departures.
  std::size_t poll(std::chrono::nanoseconds wait, probe::FrameHandler& handler) override;
  std::chrono::nanoseconds hold_back() const override { return std::chrono::nanoseconds(0); }
  probe::CaptureCounters counters() override { return capture_; }

 private:
  using Bytes = std::vector<std::uint8_t>;

  // A SYN that waits for the last step of its handshake (a request socket).
  struct HalfOpen {
    std::uint32_t sequence = 0;  // of the SYN
    std::uint32_t own_sequence = 0;
    std::uint64_t id = 0;
    std::int64_t last_challenge_ns = -kSecond;
  };

  enum class Place : std::uint8_t { target, here, resend_timer };
  struct Event {
    std::int64_t time_ns = 0;
    std::uint64_t order = 0;
    Place place = Place::target;
    Bytes packet;
    wire::Flow flow;        // of a timer
    std::uint64_t id = 0;   // of a timer: its half-open entry
    bool is_first = false;  // the first copy of a probe, or the first answer to one
    bool is_resend = false;
    bool is_challenge = false;
    bool operator<(const Event& other) const {
      return time_ns != other.time_ns ? time_ns > other.time_ns : order > other.order;
    }
  };

  struct Answer {
    Bytes packet;
    bool is_first = false;
    bool is_resend = false;
    bool is_challenge = false;
  };

  void put(Event event);
  void capture(const Bytes& packet, probe::FrameOrigin origin);
  void forward(const Bytes& packet, bool is_probe);
  void answer(Answer answer);
  void at_target(const Event& event);
  void target_tcp(const wire::DecodedPacket& packet, bool is_first);
  void target_udp(const wire::DecodedPacket& packet, const Bytes& bytes, bool is_first);
  void target_icmp(const wire::DecodedPacket& packet, bool is_first);
  void at_timer(const Event& event);
  void arm_timers(const wire::Flow& flow, std::uint64_t id);
  void at_home(const Event& event);
  Bytes tcp_answer(const wire::DecodedPacket& packet, std::uint32_t sequence, std::uint32_t acknowledgement,
                   std::uint8_t flags);
  Bytes syn_ack(const wire::Flow& flow, const HalfOpen& entry);
  std::int64_t way_ns();

  Settings settings_;
  probe::Generator generator_;
  probe::PacketBuilder builder_;
  std::int64_t now_ns_ = 0;
  std::int64_t wall_offset_ns_ = 1'700'000'000 * kSecond;
  std::priority_queue<Event> events_;
  std::uint64_t next_order_ = 0;
  std::map<wire::Flow, HalfOpen> half_open_;  // by the SYN's flow
  struct Captured {
    std::int64_t time_ns;
    probe::FrameOrigin origin;
    Bytes packet;
  };
  std::vector<Captured> captured_;
  probe::CaptureCounters capture_;
  std::uint64_t frames_ = 0;
  std::uint64_t packets_ = 0;
  Truth truth_;
};

}  // namespace volley::sim

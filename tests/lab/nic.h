// The software NIC: reads frames at one TAP, judges them, writes them to the other.
//
// One thread, one event loop; run() returns after SIGINT or SIGTERM, writes the
// truth on SIGUSR1 and takes up changed rules on SIGHUP. The signals must be
// blocked before (block_signals). Set-up throws std::exception; a frame that the
// kernel won't take is counted as an own drop, never an error.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "held_frames.h"
#include "impairment.h"
#include "recorder.h"
#include "rss.h"
#include "tap.h"
#include "truth.h"

namespace lab {

struct Rules {
  std::vector<Rule> to_target;
  std::vector<Rule> to_client;
};

// The rules of the command line and of a file with lines "to-target RULE" and
// "to-client RULE" (# begins a comment; an empty path is no file). Throws
// std::invalid_argument that names the rule.
Rules load_rules(const std::vector<std::string>& to_target, const std::vector<std::string>& to_client,
                 const std::string& file);

struct NicConfig {
  TapConfig target;
  TapConfig client;
  RssConfig target_rss;
  RssConfig client_rss;
  std::vector<std::string> to_target;  // rules
  std::vector<std::string> to_client;
  std::string rules_file;
  std::uint64_t seed = 1;
  RecorderConfig recorder;
  std::string ready_file;  // "PID GENERATION", rewritten when rules change; empty: none
  std::string truth_file;  // empty: standard output, at the end only
};

void block_signals();

class Nic {
 public:
  explicit Nic(NicConfig config);
  ~Nic();
  Nic(const Nic&) = delete;
  Nic& operator=(const Nic&) = delete;

  void run();

 private:
  // What frames of one direction need.
  struct Lane {
    const RssConfig* rss = nullptr;          // of the side they go to
    const RssConfig* reverse_rss = nullptr;  // of the side they come from
    const std::vector<int>* out = nullptr;
    std::size_t first_lane = 0;  // of HeldFrames
    std::unique_ptr<Impairments> impairments;
    DirectionCounts counts;
  };

  void apply_rules();
  void watch(int fd, std::uint64_t tag);
  void wait_and_serve();
  void read_frames(Direction direction, int fd);
  void handle(Frame& frame, Nanoseconds now);
  void pass(Frame& frame, Nanoseconds now);
  void release_due();
  void write_frame(Frame& frame, bool is_counted);
  void handle_signal();
  std::string truth() const;
  void announce() const;
  Lane& lane(Direction direction) { return lanes_[static_cast<std::size_t>(direction)]; }

  NicConfig config_;
  Tap target_;
  Tap client_;
  Recorder recorder_;
  std::array<Lane, 2> lanes_;
  HeldFrames held_;
  std::vector<std::uint8_t> buffer_;
  Frame incoming_;
  Frame outgoing_;
  Frame passed_;
  int epoll_ = -1;
  int signals_ = -1;
  Nanoseconds started_;
  std::uint64_t generation_ = 0;
  bool is_running_ = true;
};

}  // namespace lab

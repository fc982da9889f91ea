// A capture ring that counts SYNs leaving and SYN-ACKs coming in: what the
// reference loops do of a probing tool's receive path.
//
// One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bench {

enum class Departures : std::uint8_t { captured, ignored };

struct RingCounters {
  std::uint64_t departures = 0;
  std::uint64_t replies = 0;
  std::uint64_t dropped = 0;
};

class CaptureRing {
 public:
  CaptureRing(const std::string& interface_name, Departures departures);
  ~CaptureRing();
  CaptureRing(const CaptureRing&) = delete;
  CaptureRing& operator=(const CaptureRing&) = delete;

  // Waits for a block at most this long and counts what is in the ready ones.
  void poll(int wait_ms);
  RingCounters counters();

 private:
  void set_up(const std::string& interface_name, Departures departures);
  void count_block(std::byte* block);

  int descriptor_ = -1;
  std::byte* ring_ = nullptr;
  std::size_t next_ = 0;
  RingCounters counters_;
};

}  // namespace bench

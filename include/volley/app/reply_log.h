// Replies on their way from the receiver thread to the thread that prints them
// (-v): a bounded single-producer, single-consumer ring.
//
// The receiver never waits: when the ring is full the line is left out and
// counted. Statistics don't pass through here, so they miss nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "volley/probe/outcome_sink.h"

namespace volley::app {

class ReplyLog {
 public:
  // Receiver thread.
  void push(const probe::Outcome& outcome) {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head - tail_.load(std::memory_order_acquire) == kCapacity) {
      left_out_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    ring_[head % kCapacity] = outcome;
    head_.store(head + 1, std::memory_order_release);
  }

  // Printing thread.
  std::optional<probe::Outcome> pop() {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return std::nullopt;
    probe::Outcome outcome = ring_[tail % kCapacity];
    tail_.store(tail + 1, std::memory_order_release);
    return outcome;
  }

  std::uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kCapacity = 8192;
  std::array<probe::Outcome, kCapacity> ring_{};
  std::atomic<std::size_t> head_{0};
  std::atomic<std::size_t> tail_{0};
  std::atomic<std::uint64_t> left_out_{0};
};

// Passes everything on to the statistics, and the replies to the log as well.
class LoggedSink final : public probe::OutcomeSink {
 public:
  LoggedSink(probe::OutcomeSink& statistics, ReplyLog& log) : statistics_(statistics), log_(log) {}

  void on_outcome(const probe::Outcome& outcome) override {
    statistics_.on_outcome(outcome);
    if (outcome.verdict == probe::Verdict::answered) log_.push(outcome);
  }
  void on_amendment(const probe::Amendment& amendment) override { statistics_.on_amendment(amendment); }
  void on_stray(std::uint32_t destination, probe::StrayKind kind) override { statistics_.on_stray(destination, kind); }

 private:
  probe::OutcomeSink& statistics_;
  ReplyLog& log_;
};

}  // namespace volley::app

// Applies rules to frames. See the header for who may call it.
#include "impairment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace lab {
namespace {

double uniform(std::mt19937_64& generator) {
  constexpr double kTwoToMinus53 = 0x1p-53;
  return static_cast<double>(generator() >> 11U) * kTwoToMinus53;
}

bool happens(std::mt19937_64& generator, double probability) {
  return probability > 0 && uniform(generator) < probability;
}

// CRC-32 (IEEE 802.3, reflected) over the flow as the client sends it: a hash
// that is not Toeplitz, for what spreads flows on the way.
std::uint32_t path_hash(const FrameFacts& facts) {
  constexpr std::uint32_t kPolynomial = 0xedb88320U;
  std::uint32_t crc = ~0U;
  const auto add = [&crc](std::uint8_t byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 1U) != 0 ? crc >> 1U ^ kPolynomial : crc >> 1U;
    }
  };
  std::for_each(facts.source.begin(), facts.source.end(), add);
  std::for_each(facts.destination.begin(), facts.destination.end(), add);
  for (const std::uint16_t port : {facts.source_port, facts.destination_port}) {
    add(static_cast<std::uint8_t>(port >> 8U));
    add(static_cast<std::uint8_t>(port & 0xffU));
  }
  return ~crc;
}

}  // namespace

std::string action_text(std::uint16_t actions) {
  constexpr std::array<std::pair<Action, const char*>, 8> kNames{{{kLost, "lost"},
                                                                  {kOverflowed, "overflowed"},
                                                                  {kStalled, "stalled"},
                                                                  {kQueued, "queued"},
                                                                  {kDelayed, "delayed"},
                                                                  {kReordered, "reordered"},
                                                                  {kDuplicated, "duplicated"},
                                                                  {kOwnDrop, "own-drop"}}};
  std::string text;
  for (const auto& [action, name] : kNames) {
    if ((actions & action) != 0) {
      text += text.empty() ? "" : "+";
      text += name;
    }
  }
  return text.empty() ? "passed" : text;
}

Impairments::Impairments(std::vector<Rule> rules, std::size_t queue_count, std::uint64_t seed, Nanoseconds epoch)
    : rules_(std::move(rules)), epoch_(epoch) {
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)};
  std::vector<std::uint32_t> seeds(rules_.size() * queue_count * 2);
  sequence.generate(seeds.begin(), seeds.end());
  std::size_t next = 0;
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    std::vector<State>& states = states_.emplace_back(queue_count);
    for (State& state : states) {
      state.generator.seed(static_cast<std::uint64_t>(seeds[next]) << 32U | seeds[next + 1]);
      next += 2;
    }
  }
}

Verdict Impairments::judge(const FrameFacts& facts, const FrameFacts& forward, QueueId queue, QueueId reverse_queue,
                           Nanoseconds now) {
  Verdict verdict;
  verdict.release_at = now;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const Rule& rule = rules_[i];
    if (!rule.applies_to(facts, queue) || !rule.reverse_queues.contains(reverse_queue)) {
      continue;
    }
    if (!rule.ports.ranges.empty() && !(facts.has_ports && rule.ports.contains(forward.destination_port))) {
      continue;
    }
    if (rule.paths > 0 && path_hash(forward) % rule.paths != rule.path) {
      continue;
    }
    State& state = states_[i][queue];
    if (is_lost(rule, state)) {
      verdict.actions |= kLost;
      return verdict;
    }
    if (rule.has_service() && !serve(rule, state, verdict.release_at, verdict.actions)) {
      verdict.actions |= kOverflowed;
      return verdict;
    }
    defer(rule, state, verdict);
  }
  return verdict;
}

// Bursts follow a chain of two states: from the bad one each frame is lost, and
// it ends with probability 1/burst; it is entered as often as the loss asks.
bool Impairments::is_lost(const Rule& rule, State& state) {
  ++state.seen;
  if (rule.loss_every > 0) {
    return state.seen % rule.loss_every == 0;
  }
  if (rule.burst == 0) {
    return happens(state.generator, rule.loss);
  }
  const double leave = 1 / rule.burst;
  const double enter = rule.loss * leave / (1 - rule.loss);
  state.in_burst = state.in_burst ? !happens(state.generator, leave) : happens(state.generator, enter);
  return state.in_burst;
}

bool Impairments::serve(const Rule& rule, State& state, Nanoseconds& at, std::uint16_t& actions) const {
  Nanoseconds start = std::max(at, state.busy_until);
  const bool is_queued = start > at;
  bool is_stalled = false;
  if (rule.stall > 0 && start - epoch_ >= rule.stall_period) {
    const Nanoseconds into = (start - epoch_) % rule.stall_period;
    if (into < rule.stall) {
      start += rule.stall - into;
      is_stalled = true;
    }
  }
  while (!state.waiting.empty() && state.waiting.front() <= at) {
    state.waiting.pop_front();
  }
  if (start > at) {
    if (state.waiting.size() >= rule.ring) {
      return false;
    }
    state.waiting.push_back(start);
  }
  if (is_stalled) {
    actions |= kStalled;
  }
  if (is_queued) {
    actions |= kQueued;
  }
  at = start;
  if (rule.rate > 0) {
    constexpr double kSecond = 1e9;
    state.busy_until = start + std::llround(kSecond / rule.rate);
  }
  return true;
}

void Impairments::defer(const Rule& rule, State& state, Verdict& verdict) {
  Nanoseconds more = rule.delay;
  if (rule.jitter != Jitter::none) {
    const double draw = uniform(state.generator);
    const double share = rule.jitter == Jitter::uniform ? draw : -std::log1p(-draw);
    more += std::llround(share * static_cast<double>(rule.jitter_size));
  }
  if (more > 0) {
    verdict.release_at += more;
    verdict.actions |= kDelayed;
  }
  if (happens(state.generator, rule.duplicate)) {
    verdict.duplicate_at = verdict.release_at + rule.duplicate_after;
    verdict.actions |= kDuplicated;
  }
  if (happens(state.generator, rule.reorder)) {
    verdict.release_at += rule.hold;
    verdict.hold_frames = rule.hold_frames;
    verdict.actions |= kReordered;
  }
}

std::vector<Window> Impairments::stall_windows(std::size_t rule, Nanoseconds now, std::size_t limit) const {
  std::vector<Window> windows;
  const Rule& stalling = rules_[rule];
  if (stalling.stall == 0) {
    return windows;
  }
  for (Nanoseconds start = epoch_ + stalling.stall_period; start < now && windows.size() < limit;
       start += stalling.stall_period) {
    windows.push_back({start, start + stalling.stall});
  }
  return windows;
}

}  // namespace lab

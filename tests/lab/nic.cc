// The event loop of the software NIC. See the header.
#include "nic.h"

#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace lab {
namespace {

constexpr Nanoseconds kSecond = 1'000'000'000;
// A sleeping thread wakes up this much late at times; nearer than this to a
// deadline the loop doesn't sleep.
constexpr Nanoseconds kSpin = 80'000;
// Frames that are read, or released, before others get their turn.
constexpr int kBudget = 64;
constexpr std::size_t kLargestHeader = 14 + 2 * 4;  // Ethernet with two VLAN tags
constexpr std::uint64_t kSignalTag = ~0ULL;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

Nanoseconds read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

Nanoseconds monotonic_now() {
  return read_clock(CLOCK_MONOTONIC);
}
Nanoseconds wall_now() {
  return read_clock(CLOCK_REALTIME);
}

sigset_t own_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP}) {
    sigaddset(&set, signal);
  }
  return set;
}

// Direction in the upper half, file descriptor in the lower.
std::uint64_t tag_of(Direction direction, int fd) {
  return static_cast<std::uint64_t>(direction) << 32U | static_cast<std::uint32_t>(fd);
}

void add_rule(std::vector<Rule>& rules, const std::string& text) {
  rules.push_back(parse_rule(text));
}

void load_rules_file(Rules& rules, const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw std::invalid_argument("can't read rules from " + path);
  }
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) {
      continue;
    }
    const std::size_t end = std::min(line.find_first_of(" \t", first), line.size());
    const std::string direction = line.substr(first, end - first);
    if (direction != direction_name(Direction::to_target) && direction != direction_name(Direction::to_client)) {
      throw std::invalid_argument("'" + direction + "' in " + path + " is neither to-target nor to-client");
    }
    add_rule(direction == direction_name(Direction::to_target) ? rules.to_target : rules.to_client, line.substr(end));
  }
}

}  // namespace

Rules load_rules(const std::vector<std::string>& to_target, const std::vector<std::string>& to_client,
                 const std::string& file) {
  Rules rules;
  for (const std::string& text : to_target) {
    add_rule(rules.to_target, text);
  }
  for (const std::string& text : to_client) {
    add_rule(rules.to_client, text);
  }
  if (!file.empty()) {
    load_rules_file(rules, file);
  }
  return rules;
}

void block_signals() {
  const sigset_t set = own_signals();
  if (sigprocmask(SIG_BLOCK, &set, nullptr) != 0) {
    fail("block signals");
  }
}

Nic::Nic(NicConfig config)
    : config_(std::move(config)),
      target_(config_.target),
      client_(config_.client),
      recorder_(config_.recorder),
      held_(config_.target.queues + config_.client.queues),
      buffer_(static_cast<std::size_t>(std::max(config_.target.mtu, config_.client.mtu)) + kLargestHeader),
      started_(wall_now()) {
  Lane& forth = lane(Direction::to_target);
  Lane& back = lane(Direction::to_client);
  forth.rss = back.reverse_rss = &config_.target_rss;
  back.rss = forth.reverse_rss = &config_.client_rss;
  forth.out = &target_.queues();
  back.out = &client_.queues();
  back.first_lane = config_.target.queues;
  for (Lane& one : lanes_) {
    one.counts.queues.resize(one.out->size());
  }
  apply_rules();
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  const sigset_t set = own_signals();
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (epoll_ < 0 || signals_ < 0) {
    fail("set up the event loop");
  }
  watch(signals_, kSignalTag);
  for (const int fd : client_.queues()) {
    watch(fd, tag_of(Direction::to_target, fd));
  }
  for (const int fd : target_.queues()) {
    watch(fd, tag_of(Direction::to_client, fd));
  }
}

Nic::~Nic() {
  close(epoll_);
  close(signals_);
}

// The stall clocks start anew with each change of rules.
void Nic::apply_rules() {
  Rules rules = load_rules(config_.to_target, config_.to_client, config_.rules_file);
  const Nanoseconds epoch = monotonic_now();
  Lane& forth = lane(Direction::to_target);
  Lane& back = lane(Direction::to_client);
  constexpr std::uint64_t kOtherSeeds = 0x9e3779b97f4a7c15ULL;
  forth.impairments = std::make_unique<Impairments>(std::move(rules.to_target), forth.out->size(), config_.seed, epoch);
  back.impairments =
      std::make_unique<Impairments>(std::move(rules.to_client), back.out->size(), config_.seed ^ kOtherSeeds, epoch);
  ++generation_;
}

void Nic::watch(int fd, std::uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  if (epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event) != 0) {
    fail("watch a queue");
  }
}

void Nic::run() {
  announce();
  while (is_running_) {
    wait_and_serve();
  }
  recorder_.flush();
  if (config_.truth_file.empty()) {
    std::fputs(truth().c_str(), stdout);
  } else {
    replace_file(config_.truth_file, truth());
  }
}

void Nic::wait_and_serve() {
  timespec timeout{};
  const timespec* limit = nullptr;
  if (const Nanoseconds deadline = held_.next_deadline(); deadline != HeldFrames::kNever) {
    const Nanoseconds left = std::max<Nanoseconds>(deadline - kSpin - monotonic_now(), 0);
    timeout.tv_sec = left / kSecond;
    timeout.tv_nsec = left % kSecond;
    limit = &timeout;
  }
  std::array<epoll_event, 64> events{};
  const int count = epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), limit, nullptr);
  if (count < 0 && errno != EINTR) {
    fail("wait for frames");
  }
  release_due();
  // A real-time turn lasts 100 ms: while this only spins, a second lab on the
  // same CPU must not wait for the end of it.
  if (count == 0) {
    sched_yield();
  }
  for (int i = 0; i < count; ++i) {
    const std::uint64_t tag = events[static_cast<std::size_t>(i)].data.u64;
    if (tag == kSignalTag) {
      handle_signal();
    } else {
      read_frames(static_cast<Direction>(tag >> 32U), static_cast<int>(tag & 0xffffffffU));
    }
  }
}

void Nic::read_frames(Direction direction, int fd) {
  for (int i = 0; i < kBudget; ++i) {
    const ssize_t length = read(fd, buffer_.data(), buffer_.size());
    if (length < 0 && errno != EAGAIN && errno != EINTR) {
      fail("read a frame");  // the device is gone: every further wait would return at once
    }
    if (length <= 0) {
      return;
    }
    incoming_.read_at = wall_now();
    incoming_.bytes.assign(buffer_.begin(), buffer_.begin() + length);
    incoming_.direction = direction;
    incoming_.actions = 0;
    const Nanoseconds now = monotonic_now();
    handle(incoming_, now);
    if (held_.next_deadline() <= now) {
      release_due();
    }
  }
}

void Nic::handle(Frame& frame, Nanoseconds now) {
  Lane& there = lane(frame.direction);
  frame.facts = read_frame(frame.bytes);
  recorder_.read(frame);
  if (frame.facts.kind == Kind::untouched) {
    frame.queue = 0;
    there.counts.untouched.count_judged(frame.facts.kind, 0);
    write_frame(frame, true);
    return;
  }
  const FrameFacts back = reversed(frame.facts);
  frame.queue = queue_of(*there.rss, frame.facts);
  frame.reverse_queue = queue_of(*there.reverse_rss, back);
  const FrameFacts& forward = frame.direction == Direction::to_target ? frame.facts : back;
  const Verdict verdict = there.impairments->judge(frame.facts, forward, frame.queue, frame.reverse_queue, now);
  frame.actions = verdict.actions;
  there.counts.queues[frame.queue].count_judged(frame.facts.kind, verdict.actions);
  if (verdict.is_dropped()) {
    recorder_.finished(frame, 0);
    return;
  }
  frame.deadline = verdict.release_at;
  const std::size_t held_lane = there.first_lane + frame.queue;
  if (verdict.hold_frames > 0) {
    held_.add_until_passed(frame, held_lane, verdict.hold_frames);
  } else {
    pass(frame, now);
  }
  if ((verdict.actions & kDuplicated) != 0) {
    frame.deadline = verdict.duplicate_at;
    pass(frame, now);
  }
}

void Nic::pass(Frame& frame, Nanoseconds now) {
  if (frame.deadline > now) {
    held_.add(frame);
  } else {
    write_frame(frame, true);
  }
}

void Nic::release_due() {
  for (int i = 0; i < kBudget; ++i) {
    const Nanoseconds now = monotonic_now();
    if (!held_.take_due(now, outgoing_)) {
      return;
    }
    lane(outgoing_.direction).counts.lateness.add(now - outgoing_.deadline);
    write_frame(outgoing_, true);
  }
}

// `is_counted`: the frame counts for those that wait for later ones.
void Nic::write_frame(Frame& frame, bool is_counted) {
  Lane& there = lane(frame.direction);
  const bool is_untouched = frame.facts.kind == Kind::untouched;
  QueueCounts& counts = is_untouched ? there.counts.untouched : there.counts.queues[frame.queue];
  const Nanoseconds written_at = wall_now();
  const ssize_t written = write((*there.out)[frame.queue], frame.bytes.data(), frame.bytes.size());
  if (written < 0) {
    ++counts.own_drops;
    frame.actions |= kOwnDrop;
    recorder_.finished(frame, 0);
    return;
  }
  ++counts.written;
  recorder_.written(frame, written_at);
  recorder_.finished(frame, written_at);
  const std::size_t held_lane = there.first_lane + frame.queue;
  if (!is_counted || is_untouched) {
    return;
  }
  held_.count_passed(held_lane);
  while (held_.take_passed(held_lane, passed_)) {
    write_frame(passed_, false);
  }
}

void Nic::handle_signal() {
  signalfd_siginfo info{};
  while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const auto signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGUSR1) {
      recorder_.flush();
      if (!config_.truth_file.empty()) {
        replace_file(config_.truth_file, truth());
      }
    } else if (signal == SIGHUP) {
      try {
        apply_rules();
      } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "softnic: rules unchanged: %s\n", error.what());
      }
      announce();
    } else {
      is_running_ = false;
    }
  }
}

std::string Nic::truth() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  TruthView view;
  view.started = started_;
  view.now = wall_now();
  view.wall_minus_monotonic = view.now - monotonic_now();
  view.generation = generation_;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    view.directions[i] = &lanes_[i].counts;
    view.impairments[i] = lanes_[i].impairments.get();
  }
  view.devices = {target_.drops(), client_.drops()};
  view.cpu = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * kSecond +
             (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
  return truth_json(view);
}

void Nic::announce() const {
  if (!config_.ready_file.empty()) {
    replace_file(config_.ready_file, std::to_string(getpid()) + " " + std::to_string(generation_) + "\n");
  }
}

}  // namespace lab

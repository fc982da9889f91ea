// The sender and the receiver thread of a run (see the header).
#include "volley/app/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "volley/net/clock.h"
#include "volley/net/stop_event.h"
#include "volley/probe/flight_table.h"
#include "volley/probe/matcher.h"
#include "volley/probe/sprayer.h"

namespace volley::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// How long the receiver waits for frames before it looks at its timeouts.
constexpr nanoseconds kReceiverTurn = milliseconds(10);
// The first probe is due this long after the threads were started.
constexpr nanoseconds kLeadTime = milliseconds(2);
// TCP runs with losses wait for a target's second SYN-ACK retransmission, which
// comes 3.00 to 3.06 s after the probe (DESIGN rule 5).
constexpr nanoseconds kResendWait = milliseconds(3500);
// A target's half-open entry goes with our kernel's reset. If so many answers on
// the ports looked at (one of sixteen) met hardly a reset, none leave: going on
// would fill the target's table like a SYN flood.
constexpr std::uint64_t kResetsToJudge = 16;
constexpr std::uint64_t kResetsMissingFactor = 4;
// Probes that were never seen departing aren't waited for longer than this
// beyond the last timeout.
constexpr nanoseconds kDepartureGrace = milliseconds(250);

// Hands each frame to the matcher and to --write.
class TappedHandler final : public probe::FrameHandler {
 public:
  TappedHandler(probe::FrameHandler& matcher, probe::FrameHandler* tap) : matcher_(matcher), tap_(tap) {}
  void on_frame(const probe::CapturedFrame& frame) override {
    matcher_.on_frame(frame);
    if (tap_ != nullptr) tap_->on_frame(frame);
  }

 private:
  probe::FrameHandler& matcher_;
  probe::FrameHandler* tap_;
};

}  // namespace

struct Session::State {
  explicit State(const SessionParts& session_parts)
      : parts(session_parts),
        plan(session_parts.plan),
        table(probe::flight_capacity(plan)),
        aggregator(plan),
        start_monotonic_ns(net::monotonic_ns() + kLeadTime.count()),
        start_wall_ns(net::wall_ns() + kLeadTime.count()),
        sprayer(plan, table, start_monotonic_ns) {
    if (parts.reply_log != nullptr) logged.emplace(aggregator, *parts.reply_log);
    matcher.emplace(plan, table, logged ? static_cast<probe::OutcomeSink&>(*logged) : aggregator, start_wall_ns);
  }

  void send();
  void receive();
  void receive_turn(TappedHandler& handler);
  bool is_over(std::int64_t drained_ns) const;
  bool resets_are_missing() const;
  stats::RunFacts facts();
  void publish_progress();
  void serve_snapshot();
  void run_thread(void (State::*body)());

  SessionParts parts;
  const probe::ProbePlan& plan;
  probe::FlightTable table;
  stats::Aggregator aggregator;
  std::optional<LoggedSink> logged;
  std::int64_t start_monotonic_ns;
  std::int64_t start_wall_ns;
  probe::Sprayer sprayer;                 // the sender's
  std::optional<probe::Matcher> matcher;  // the receiver's, as are the next four
  net::ClockStepDetector step_detector;
  probe::CaptureCounters capture;
  std::int64_t drained_ns = 0;
  std::int64_t next_progress_ns = 0;

  net::StopEvent stop;
  std::atomic<std::int64_t> stopped_wall_ns{0};  // when interrupt() was called
  std::atomic<bool> stopped_for_resets{false};
  std::atomic<bool> sender_done{false};
  std::atomic<bool> receiver_done{false};
  std::int64_t end_monotonic_ns = 0;  // set by the receiver before receiver_done

  std::atomic<std::uint64_t> sent{0}, answered{0}, lost{0}, not_sent{0};
  std::atomic<std::int64_t> rtt_p50_ns{0}, rtt_p99_ns{0};

  std::atomic<bool> snapshot_wanted{false};
  std::mutex snapshot_mutex;  // guards the two below; off the packet path
  std::condition_variable snapshot_ready;
  std::optional<stats::RunResult> snapshot;
  std::exception_ptr failure;  // guarded by snapshot_mutex

  std::jthread receiver_thread;
  std::jthread sender_thread;
};

// A thread that fails ends the run; finish() throws what it threw.
void Session::State::run_thread(void (State::*body)()) {
  try {
    (this->*body)();
  } catch (...) {
    const std::lock_guard lock(snapshot_mutex);
    if (!failure) failure = std::current_exception();
    stop.request();
  }
}

void Session::State::send() {
  const net::DeadlineWaiter waiter(stop, parts.waiting == Waiting::spin ? net::WaitStyle::spin : net::WaitStyle::sleep);
  while (const auto due = sprayer.next_due_ns()) {
    if (waiter.until(*due) == net::WaitResult::stopped) break;
    sprayer.step(net::monotonic_ns(), net::wall_ns(), parts.sink);
  }
}

bool Session::State::resets_are_missing() const {
  const probe::ReceiveCounters& counters = matcher->counters();
  return parts.missing_resets == MissingResets::stop && capture.dropped == 0 &&
         counters.resets_expected >= kResetsToJudge &&
         counters.resets_seen * kResetsMissingFactor < counters.resets_expected;
}

bool Session::State::is_over(std::int64_t drained) const {
  if (!sender_done.load(std::memory_order_acquire)) return false;
  if (const std::int64_t stopped = stopped_wall_ns.load(std::memory_order_acquire); stopped != 0) {
    return drained >= stopped;
  }
  const std::int64_t last_sent = sprayer.last_sent_ns();
  if (last_sent == 0) return true;
  const std::int64_t since_last = net::monotonic_ns() - last_sent;
  const bool waits_for_resends = plan.protocol == probe::Protocol::tcp && matcher->has_undirected_losses();
  const nanoseconds longest = std::max(plan.timeout, waits_for_resends ? kResendWait : nanoseconds(0));
  if (since_last > (longest + parts.source.hold_back() + kDepartureGrace).count()) return true;
  return !matcher->is_waiting(drained) && (!waits_for_resends || since_last > kResendWait.count());
}

void Session::State::receive_turn(TappedHandler& handler) {
  const std::int64_t before_ns = net::wall_ns();
  parts.source.poll(kReceiverTurn, handler);
  drained_ns = before_ns - parts.source.hold_back().count();
  if (const auto step = step_detector.feed(net::read_clock_pair())) {
    matcher->note_clock_step(step->before_ns, step->after_ns);
  }
  capture = parts.source.counters();
  matcher->settle(drained_ns, capture.dropped);
  if (!stopped_for_resets.load(std::memory_order_relaxed) && resets_are_missing()) {
    stopped_for_resets.store(true, std::memory_order_release);
    stop.request();
  }
  publish_progress();
  if (snapshot_wanted.load(std::memory_order_acquire)) serve_snapshot();
}

void Session::State::receive() {
  TappedHandler handler(*matcher, parts.tap);
  do {
    receive_turn(handler);
  } while (!is_over(drained_ns));
  matcher->finish(drained_ns, capture.dropped);
  end_monotonic_ns = net::monotonic_ns();
}

stats::RunFacts Session::State::facts() {
  stats::RunFacts facts;
  facts.interrupted = stopped_wall_ns.load(std::memory_order_acquire) != 0;
  facts.started_ns = start_wall_ns;
  facts.elapsed_ns = (end_monotonic_ns != 0 ? end_monotonic_ns : net::monotonic_ns()) - start_monotonic_ns;
  if (const std::int64_t last_sent = sprayer.last_sent_ns(); last_sent != 0) {
    facts.sending_ns = last_sent - start_monotonic_ns;
  }
  facts.capture_drops = capture.dropped;
  facts.interface_drops = capture.interface_dropped;
  facts.receive = matcher->counters();
  return facts;
}

void Session::State::publish_progress() {
  constexpr std::int64_t kProgressInterval = 100'000'000;
  const std::int64_t now = net::monotonic_ns();
  if (now < next_progress_ns) return;
  next_progress_ns = now + kProgressInterval;
  const stats::Progress progress = aggregator.progress();
  sent.store(progress.sent, std::memory_order_relaxed);
  answered.store(progress.answered, std::memory_order_relaxed);
  lost.store(progress.lost, std::memory_order_relaxed);
  not_sent.store(progress.not_sent, std::memory_order_relaxed);
  rtt_p50_ns.store(progress.rtt_p50_ns, std::memory_order_relaxed);
  rtt_p99_ns.store(progress.rtt_p99_ns, std::memory_order_relaxed);
}

void Session::State::serve_snapshot() {
  stats::RunFacts now = facts();
  now.in_flight = matcher->in_flight_by_destination();
  const std::lock_guard lock(snapshot_mutex);
  snapshot = aggregator.result(now);
  snapshot_wanted.store(false, std::memory_order_release);
  snapshot_ready.notify_all();
}

Session::Session(const SessionParts& parts) : state_(std::make_unique<State>(parts)) {
  State& state = *state_;
  state.receiver_thread = std::jthread([&state] {
    state.run_thread(&State::receive);
    const std::lock_guard lock(state.snapshot_mutex);
    state.receiver_done.store(true, std::memory_order_release);
    state.snapshot_ready.notify_all();
  });
  state.sender_thread = std::jthread([&state] {
    state.run_thread(&State::send);
    state.sender_done.store(true, std::memory_order_release);
  });
}

Session::~Session() {
  interrupt();
}

void Session::interrupt() {
  std::int64_t not_yet = 0;
  state_->stopped_wall_ns.compare_exchange_strong(not_yet, net::wall_ns(), std::memory_order_acq_rel);
  state_->stop.request();
}

bool Session::is_done() const {
  return state_->receiver_done.load(std::memory_order_acquire);
}

stats::Progress Session::progress() const {
  return {.sent = state_->sent.load(std::memory_order_relaxed),
          .answered = state_->answered.load(std::memory_order_relaxed),
          .lost = state_->lost.load(std::memory_order_relaxed),
          .not_sent = state_->not_sent.load(std::memory_order_relaxed),
          .rtt_p50_ns = state_->rtt_p50_ns.load(std::memory_order_relaxed),
          .rtt_p99_ns = state_->rtt_p99_ns.load(std::memory_order_relaxed)};
}

std::int64_t Session::elapsed_ns() const {
  return net::monotonic_ns() - state_->start_monotonic_ns;
}

std::optional<stats::RunResult> Session::snapshot() {
  std::unique_lock lock(state_->snapshot_mutex);
  state_->snapshot.reset();
  state_->snapshot_wanted.store(true, std::memory_order_release);
  state_->snapshot_ready.wait(lock, [this] { return state_->snapshot.has_value() || is_done(); });
  return state_->snapshot;
}

std::vector<std::string> Session::notes() const {
  std::vector<std::string> notes;
  if (state_->stopped_for_resets.load(std::memory_order_acquire)) {
    notes.emplace_back(
        "stopped early: this host's resets don't leave (a firewall rule?), so that each probe would stay half open at "
        "the "
        "target like a SYN flood; let resets out, or go on with --force");
  }
  if (const std::uint64_t skips = state_->sprayer.schedule_skips(); skips > 0) {
    notes.push_back(fmt::format("this host did not let volley run {}: {:.0f} ms of the schedule were left out",
                                skips == 1 ? "once" : fmt::format("{} times", skips),
                                static_cast<double>(state_->sprayer.schedule_skipped_ns()) / 1e6));
  }
  return notes;
}

stats::RunResult Session::finish() {
  state_->sender_thread.join();
  state_->receiver_thread.join();
  if (state_->failure) std::rethrow_exception(state_->failure);
  return state_->aggregator.result(state_->facts());
}

}  // namespace volley::app

// The ring of probes in flight. One sender thread and one receiver thread; see
// the header for which function is whose.
#include "volley/probe/flight_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "volley/probe/generator.h"

namespace volley::probe {

namespace {

constexpr std::size_t kMinFlightCapacity = 1024;

}  // namespace

struct FlightTable::State {
  explicit State(std::size_t capacity)
      : mask(capacity - 1), records(new FlightRecord[capacity]), newest(new std::atomic<std::uint64_t>[capacity]()) {}

  std::size_t bucket(const FlowKey& key) const {
    return mix64((std::uint64_t{key.destination} << 32U) | key.local) & mask;
  }
  // Follows a chain from `number` on to the first record of the key that is still held.
  std::optional<std::uint64_t> find(std::uint64_t number, const FlowKey& key) const {
    const std::uint64_t oldest = tail.load(std::memory_order_relaxed);
    while (number >= oldest) {
      const FlightRecord& record = records[number & mask];
      if (record.key == key) {
        return number;
      }
      if (record.chain_step == 0 || record.chain_step > number) {
        break;
      }
      number -= record.chain_step;
    }
    return std::nullopt;
  }

  const std::uint64_t mask;
  const std::unique_ptr<FlightRecord[]> records;
  // One more than the newest number of each bucket; 0: none yet.
  const std::unique_ptr<std::atomic<std::uint64_t>[]> newest;
  alignas(64) std::atomic<std::uint64_t> head{0};
  alignas(64) std::atomic<std::uint64_t> tail{0};
  alignas(64) std::atomic<std::uint64_t> skipped{0};
  std::vector<std::atomic<std::uint64_t>> skipped_by_destination;
};

FlightTable::FlightTable(std::size_t capacity) : state_(std::make_unique<State>(capacity)) {}
FlightTable::~FlightTable() = default;

std::size_t FlightTable::capacity() const {
  return state_->mask + 1;
}

void FlightTable::prepare_skips(std::size_t destinations) {
  state_->skipped_by_destination = std::vector<std::atomic<std::uint64_t>>(destinations);
}

bool FlightTable::has_room() const {
  return state_->head.load(std::memory_order_relaxed) - state_->tail.load(std::memory_order_acquire) <= state_->mask;
}

std::uint64_t FlightTable::publish(const FlowKey& key, std::uint32_t token, std::uint16_t source_port,
                                   std::int64_t written_ns, std::uint32_t lag_ns) {
  const std::uint64_t number = state_->head.load(std::memory_order_relaxed);
  std::atomic<std::uint64_t>& newest = state_->newest[state_->bucket(key)];
  const std::uint64_t previous = newest.load(std::memory_order_relaxed);
  const std::uint64_t step = previous == 0 ? 0 : number - (previous - 1);

  FlightRecord& record = state_->records[number & state_->mask];
  record.key = key;
  record.token = token;
  record.source_port = source_port;
  record.unreachable = 0;
  // Farther back than the ring is long nothing is held any more.
  record.chain_step = step > state_->mask ? 0 : static_cast<std::uint32_t>(step);
  record.lag_ns = lag_ns;
  record.written_ns = written_ns;
  record.departure_ns = 0;
  record.reply_timestamp = 0;
  record.not_sent.store(NotSentReason::none, std::memory_order_relaxed);
  record.state = FlightState::awaited;
  record.verdict = Verdict::in_flight;
  record.sign = LossSign::unsigned_;
  record.reply = ReplyKind::none;
  record.has_departed = false;
  record.has_arrived = false;
  record.is_clock_stepped = false;
  record.is_direction_open = false;

  newest.store(number + 1, std::memory_order_release);
  state_->head.store(number + 1, std::memory_order_release);
  return number;
}

void FlightTable::mark_not_sent(std::uint64_t number, NotSentReason reason) {
  state_->records[number & state_->mask].not_sent.store(reason, std::memory_order_release);
}

void FlightTable::skip(std::uint32_t destination) {
  if (destination < state_->skipped_by_destination.size()) {
    state_->skipped_by_destination[destination].fetch_add(1, std::memory_order_relaxed);
  }
  state_->skipped.fetch_add(1, std::memory_order_release);
}

std::uint64_t FlightTable::head() const {
  return state_->head.load(std::memory_order_acquire);
}
std::uint64_t FlightTable::tail() const {
  return state_->tail.load(std::memory_order_relaxed);
}
FlightRecord& FlightTable::at(std::uint64_t number) {
  return state_->records[number & state_->mask];
}
const FlightRecord& FlightTable::at(std::uint64_t number) const {
  return state_->records[number & state_->mask];
}

std::optional<std::uint64_t> FlightTable::newest(const FlowKey& key) const {
  const std::uint64_t newest = state_->newest[state_->bucket(key)].load(std::memory_order_acquire);
  return newest == 0 ? std::nullopt : state_->find(newest - 1, key);
}

std::optional<std::uint64_t> FlightTable::older(std::uint64_t number, const FlowKey& key) const {
  const std::uint32_t step = state_->records[number & state_->mask].chain_step;
  return step == 0 || step > number ? std::nullopt : state_->find(number - step, key);
}

void FlightTable::release_up_to(std::uint64_t number) {
  state_->tail.store(number, std::memory_order_release);
}

std::uint64_t FlightTable::skipped() const {
  return state_->skipped.load(std::memory_order_acquire);
}

std::uint64_t FlightTable::skipped(std::uint32_t destination) const {
  return destination < state_->skipped_by_destination.size()
             ? state_->skipped_by_destination[destination].load(std::memory_order_relaxed)
             : 0;
}

std::size_t flight_capacity(const ProbePlan& plan) {
  static_assert(sizeof(FlightRecord) <= 64, "one cache line");
  static_assert(kMaxFlightCapacity * (sizeof(FlightRecord) + sizeof(std::uint64_t)) <= kMaxFlightBytes);
  auto most = static_cast<double>(kMaxFlightCapacity);
  if (plan.rate_pps != 0.0) {
    most = std::min(most, std::ceil(plan.rate_pps * std::chrono::duration<double>(kFlightHold + plan.timeout).count()));
  }
  const std::uint64_t probes = planned_probes(plan);
  if (probes != 0) {
    most = std::min(most, static_cast<double>(probes));
  }
  return std::max(std::bit_ceil(static_cast<std::size_t>(most)), kMinFlightCapacity);
}

}  // namespace volley::probe

// RSS hashes and the histogram.
#include <array>

#include "micro.h"
#include "micro_traffic.h"
#include "volley/probe/generator.h"
#include "volley/rss/flow_hasher.h"
#include "volley/rss/hash_input.h"
#include "volley/rss/known_keys.h"
#include "volley/rss/toeplitz.h"
#include "volley/stats/histogram.h"

namespace bench::micro {

using namespace volley;

namespace {

constexpr std::size_t kOperations = 100'000;
constexpr std::size_t kInputs = 1024;

void measure_toeplitz(const Harness& harness, const char* by_bit, const char* by_table, std::size_t bytes) {
  probe::Generator generator(1);
  std::vector<std::array<std::uint8_t, rss::kMaxHashInputBytes>> inputs(kInputs);
  for (auto& input : inputs) {
    for (auto& byte : input) byte = static_cast<std::uint8_t>(generator.next());
  }
  const auto key = rss::known_keys().front().bytes;
  const rss::ToeplitzTables tables(key);
  harness.measure_each(by_bit, kOperations / 10, [&](std::size_t i) {
    keep(rss::toeplitz_hash(key, std::span(inputs[i % kInputs]).first(bytes)));
  });
  harness.measure_each(by_table, kOperations,
                       [&](std::size_t i) { keep(tables.hash(std::span(inputs[i % kInputs]).first(bytes))); });
}

void measure_flow_hasher(const Harness& harness) {
  const probe::ProbePlan plan = sample_plan(8);
  const rss::FlowHasher hasher(
      plan.rss.value(), {plan.destinations[0].source, plan.destinations[0].address, 0, 80, wire::IpProtocol::tcp});
  harness.measure_each("queue of a source port (FlowHasher)", kOperations,
                       [&](std::size_t i) { keep(hasher.queue(static_cast<std::uint16_t>(i))); });
}

void measure_histogram(const Harness& harness, const char* name, unsigned bits) {
  probe::Generator generator(1);
  std::vector<std::int64_t> values(kInputs);
  // 10 to 200 microseconds, as on a short path.
  for (auto& value : values) value = 10'000 + generator.below(190'000);
  stats::OctaveArena arena(bits, stats::kOctaves);
  stats::Histogram histogram(arena);
  harness.measure_each(name, kOperations, [&](std::size_t i) {
    histogram.record(values[i % kInputs]);
    keep(histogram);
  });
}

}  // namespace

void measure_values(const Harness& harness) {
  measure_toeplitz(harness, "Toeplitz bit by bit, IPv4 and ports", "Toeplitz by tables, IPv4 and ports", 12);
  measure_toeplitz(harness, "Toeplitz bit by bit, IPv6 and ports", "Toeplitz by tables, IPv6 and ports", 36);
  measure_flow_hasher(harness);
  measure_histogram(harness, "histogram record, 0.1 % bins", stats::kTotalBits);
  measure_histogram(harness, "histogram record, 1 % bins", stats::kGroupBits);
}

}  // namespace bench::micro

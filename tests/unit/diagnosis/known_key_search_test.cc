// Tests of diagnosis/known_key_search: published keys are recognised with the
// queue, random keys are not. One thread.
#include "volley/diagnosis/known_key_search.h"

#include <catch2/catch.hpp>

#include "simulated_run.h"
#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

namespace {

std::optional<KeyMatch> key_of(const rss::RssConfig& config, rss::QueueId bad, std::uint8_t bits, std::uint64_t seed) {
  const auto queue_of = queues_of(config);
  RunOptions options{.probes = 40'000, .port_bits = bits, .seed = seed};
  options.loss = [&](std::uint16_t port) { return queue_of(port) == bad ? 0.05 : 0.0; };
  const SimulatedRun run = simulate(options);
  const Subject subject{run.plan, run.result, 0};
  const Indicator indicator = loss_indicator(subject);
  const auto search = search_ports(subject, indicator);
  REQUIRE(search);
  REQUIRE(search->structure);
  return find_known_key(subject, indicator, *search);
}

rss::RssConfig published(const char* name, std::size_t queues) {
  rss::RssConfig config;
  const rss::KnownKey* key = rss::find_known_key(name);
  config.key.assign(key->bytes.begin(), key->bytes.end());
  config.table = rss::default_table(128, queues, rss::TableFill::modulo);
  return config;
}

}  // namespace

TEST_CASE("a published key is recognised, with the number of the queue") {
  for (const char* name : {"microsoft", "dpdk-mlx5"}) {
    const auto match = key_of(published(name, 8), 3, 13, 1);
    REQUIRE(match);
    CHECK(match->key_name == name);
    CHECK_FALSE(match->is_reversed);
    CHECK(match->queues == 8);
    CHECK(match->queue == 3);
    CHECK(match->score > 100.0);
    CHECK(match->chance == Approx(0.0039).epsilon(0.01));
  }
}

TEST_CASE("random keys are not taken for published ones") {
  int taken = 0;
  for (std::uint64_t key = 1; key <= 6; ++key) {
    taken += key_of(random_rss(key, 8, 128), 5, 13, key) ? 1 : 0;
  }
  CHECK(taken == 0);
}

// Tests of diagnosis/known_queues: planted queues are found, alike ones are not. One thread.
#include "volley/diagnosis/known_queues.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace volley;
using namespace volley::diagnosis;

namespace {

const QueueSearch kSearch{.log_alpha = std::log(1e-3)};

std::vector<QueueCount> counts(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> probes_and_hits) {
  std::vector<QueueCount> queues;
  for (const auto& [probes, hits] : probes_and_hits) {
    queues.push_back({static_cast<rss::QueueId>(queues.size()), probes, hits});
  }
  return queues;
}

}  // namespace

TEST_CASE("one bad queue of eight is named with its counts") {
  const auto groups = find_bad_queues(
      counts({{1251, 0}, {1250, 0}, {1250, 0}, {1249, 63}, {1250, 0}, {1250, 0}, {1250, 0}, {1250, 0}}), kSearch);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].queues == std::vector<rss::QueueId>{3});
  CHECK(groups[0].hits == 63);
  CHECK(groups[0].probes == 1249);
  CHECK(groups[0].rest_hits == 0);
  CHECK(groups[0].rest_probes == 8751);
  CHECK(groups[0].log_p < -120.0);
}

TEST_CASE("several bad queues are one group, different rates are two") {
  auto groups = find_bad_queues(counts({{1000, 40}, {1000, 1}, {1000, 44}, {1000, 0}, {1000, 1}, {1000, 38}}), kSearch);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].queues == std::vector<rss::QueueId>{0, 2, 5});
  groups = find_bad_queues(counts({{1000, 0}, {1000, 500}, {1000, 0}, {1000, 20}, {1000, 0}}), kSearch);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].queues == std::vector<rss::QueueId>{1});
  CHECK(groups[1].queues == std::vector<rss::QueueId>{3});
  CHECK(groups[0].rest_probes == 3000);
  CHECK(groups[1].rest_hits == 0);
}

TEST_CASE("seven bad of eight are found, though each is like most others") {
  const auto groups = find_bad_queues(
      counts({{900, 90}, {900, 95}, {900, 85}, {900, 91}, {900, 89}, {900, 0}, {900, 90}, {900, 92}}), kSearch);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].queues == std::vector<rss::QueueId>{0, 1, 2, 3, 4, 6, 7});
}

TEST_CASE("thin or even evidence names nothing") {
  CHECK(find_bad_queues(counts({{1000, 3}, {1000, 0}, {1000, 0}, {1000, 0}}), kSearch).empty());
  CHECK(find_bad_queues(counts({{1000, 50}, {1000, 50}, {1000, 50}}), kSearch).empty());
  CHECK(find_bad_queues(counts({{1000, 1000}, {1000, 1000}}), kSearch).empty());
  CHECK(find_bad_queues(counts({{1000, 900}}), kSearch).empty());
  CHECK(find_bad_queues({}, kSearch).empty());
  CHECK(find_bad_queues(counts({{0, 0}, {10, 10}}), kSearch).empty());
}

TEST_CASE("a difference that is sure but too small is not worth a word") {
  const auto queues = counts({{1'000'000, 12'000}, {1'000'000, 10'000}, {1'000'000, 10'000}});
  CHECK(find_bad_queues(queues, kSearch).size() == 1);
  QueueSearch search = kSearch;
  search.least_rate_ratio = 1.5;
  CHECK(find_bad_queues(queues, search).empty());
}

TEST_CASE("queues that are alike are named in fewer than one run of a thousand") {
  std::mt19937_64 random(7);
  int named = 0;
  for (int run = 0; run < 2000; ++run) {
    const double loss = run % 2 == 0 ? 0.01 : 0.2;
    std::vector<QueueCount> queues;
    for (int q = 0; q < 4 + run % 45; ++q) {
      std::binomial_distribution<std::uint64_t> lost(200, loss);
      queues.push_back({static_cast<rss::QueueId>(q), 200, lost(random)});
    }
    named += find_bad_queues(queues, kSearch).empty() ? 0 : 1;
  }
  CHECK(named <= 2);
}

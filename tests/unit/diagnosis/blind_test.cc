// Tests of diagnosis/blind: random Toeplitz keys with a bad queue are found and
// its ports named; hashes that aren't linear, and plain loss, are not. One thread.
//
// "[.power]" prints how many probes it takes, "[.speed]" how long it takes.
#include "volley/diagnosis/blind.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <ctime>

#include "port_counts.h"

using namespace volley;
using namespace volley::diagnosis;
using namespace volley::diagnosis::test;

namespace {

std::optional<BlindMatch> match_of(const PortCounts& counts) {
  return find_blind_match(PortSpectrum(counts.probes, counts.hits));
}

struct ListQuality {
  double precision = 0.0;  // share of the listed ports that are bad
  double recall = 0.0;     // share of the bad ports that are listed
  double share = 0.0;      // of all ports that are listed
};

template <typename IsBad>
ListQuality quality_of(const BlindMatch& match, std::size_t ports, IsBad is_bad) {
  double listed = 0.0;
  double bad = 0.0;
  double both = 0.0;
  for (std::uint32_t i = 0; i < ports; ++i) {
    const bool in_list = match.contains(i);
    listed += in_list ? 1.0 : 0.0;
    bad += is_bad(i) ? 1.0 : 0.0;
    both += in_list && is_bad(i) ? 1.0 : 0.0;
  }
  return {both / listed, both / bad, listed / static_cast<double>(ports)};
}

}  // namespace

TEST_CASE("one of eight queues losing 0.3 % is found in 100,000 probes, with its ports") {
  int right = 0;
  for (std::uint64_t key = 1; key <= 6; ++key) {
    std::mt19937_64 random(key);
    const auto queues = toeplitz_queues(key, 15, 8, 128);
    const PortCounts counts =
        draw_counts(15, 100'000, random, [&](std::uint32_t i) { return queues[i] == 3 ? 0.003 : 0.0; });
    const auto match = match_of(counts);
    REQUIRE(match);
    const ListQuality quality = quality_of(*match, queues.size(), [&](std::uint32_t i) { return queues[i] == 3; });
    right += match->score > std::log(1e6) && quality.precision >= 0.98 && quality.recall >= 0.95 ? 1 : 0;
  }
  CHECK(right >= 5);
}

TEST_CASE("one of eight queues losing 2 % is found in a default run") {
  int found = 0;
  int exact = 0;
  for (std::uint64_t key = 1; key <= 20; ++key) {
    std::mt19937_64 random(key);
    const auto queues = toeplitz_queues(key, 11, 8, 128);
    const PortCounts counts =
        draw_counts(11, 10'000, random, [&](std::uint32_t i) { return queues[i] == 3 ? 0.02 : 0.0; });
    const auto match = match_of(counts);
    REQUIRE(match);
    found += match->score > kBlindLimit ? 1 : 0;
    const ListQuality quality = quality_of(*match, queues.size(), [&](std::uint32_t i) { return queues[i] == 3; });
    exact += quality.precision == 1.0 && quality.recall == 1.0 ? 1 : 0;
  }
  CHECK(found >= 19);
  CHECK(exact >= 17);
}

TEST_CASE("queue counts that are no power of two: 48 queues on 128 entries") {
  int right = 0;
  for (std::uint64_t key = 1; key <= 4; ++key) {
    std::mt19937_64 random(key);
    const auto queues = toeplitz_queues(key, 15, 48, 128);
    const PortCounts counts =
        draw_counts(15, 100'000, random, [&](std::uint32_t i) { return queues[i] == 7 ? 0.05 : 0.0; });
    const auto match = match_of(counts);
    REQUIRE(match);
    const ListQuality quality = quality_of(*match, queues.size(), [&](std::uint32_t i) { return queues[i] == 7; });
    right +=
        match->score > kBlindLimit && quality.precision >= 0.95 && quality.share > 1.0 / 70 && quality.share < 1.0 / 40
            ? 1
            : 0;
  }
  CHECK(right == 4);
}

TEST_CASE("loss of everything on one queue: the port is the unit") {
  std::mt19937_64 random(5);
  const auto queues = toeplitz_queues(5, 10, 8, 128);
  const PortCounts counts = draw_counts(10, 4000, random, [&](std::uint32_t i) { return queues[i] == 6 ? 1.0 : 0.0; });
  const auto structure = find_blind_structure(counts.probes, counts.hits);
  REQUIRE(structure);
  CHECK(structure->score > 300.0);
  CHECK(structure->index_bits() == 3);
  CHECK(structure->inside.probes == 128);
  CHECK(structure->family == Family::toeplitz);
}

TEST_CASE("single flows that lose are bound to flows, but are no linear structure") {
  int bound = 0;
  int linear = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<bool> bad(2048);
    for (std::size_t i = 0; i < bad.size(); ++i) bad[i] = random() % 8 == 0;
    const PortCounts counts = draw_counts(11, 100'000, random, [&](std::uint32_t i) { return bad[i] ? 0.3 : 0.0; });
    const auto match = match_of(counts);
    const auto structure = find_blind_structure(counts.probes, counts.hits);
    bound += match && match->score > kBlindLimit ? 1 : 0;
    linear += structure && structure->score > kBlindLimit ? 1 : 0;
  }
  CHECK(bound >= 6);
  CHECK(linear == 0);
}

TEST_CASE("loss that falls anywhere is never a match") {
  double highest = -1e9;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    std::mt19937_64 random(seed);
    const double loss = seed % 3 == 0 ? 0.001 : (seed % 3 == 1 ? 0.01 : 0.2);
    const PortCounts counts = draw_counts(10, 10'000, random, [&](std::uint32_t) { return loss; });
    if (const auto match = match_of(counts)) highest = std::max(highest, match->score);
  }
  CHECK(highest < kBlindLimit);
}

TEST_CASE("nothing is made of nothing") {
  const std::vector<std::uint32_t> probes(256, 10);
  std::vector<std::uint32_t> hits(256, 0);
  CHECK_FALSE(find_blind_match(PortSpectrum(probes, hits)));
  hits[17] = 2;
  CHECK_FALSE(find_blind_match(PortSpectrum(probes, hits)));
  CHECK_FALSE(find_blind_match(PortSpectrum(probes, probes)));
  const std::vector<std::uint32_t> one{5};
  CHECK_FALSE(find_blind_match(PortSpectrum(one, one)));
  const std::vector<std::uint32_t> two_probes{50, 50};
  const std::vector<std::uint32_t> two_hits{30, 0};
  const auto match = find_blind_match(PortSpectrum(two_probes, two_hits));
  REQUIRE(match);
  CHECK(match->inside.hits == 30);
}

TEST_CASE("a port that hits alone is not a structure") {
  const std::vector<std::uint32_t> probes(256, 40);
  std::vector<std::uint32_t> hits(256, 0);
  hits[99] = 40;
  const auto structure = find_blind_structure(probes, hits);
  CHECK_FALSE(structure);
}

TEST_CASE("power of the blind search", "[.power]") {
  struct Cell {
    std::size_t queues;
    double loss;
    double background;
    std::uint64_t probes;
  };
  constexpr Cell kCells[] = {{4, 0.001, 0, 103'000},   {4, 0.01, 0, 12'000},      {4, 0.05, 0, 2'100},
                             {8, 0.001, 0, 172'000},   {8, 0.005, 0, 29'000},     {8, 0.01, 0, 12'000},
                             {8, 0.05, 0, 2'900},      {8, 0.2, 0, 600},          {16, 0.01, 0, 24'000},
                             {32, 0.05, 0, 8'000},     {48, 0.05, 0, 14'000},     {64, 0.05, 0, 16'000},
                             {128, 0.05, 0, 27'000},   {8, 0.01, 0.001, 25'000},  {8, 0.05, 0.001, 3'400},
                             {16, 0.05, 0.001, 5'700}, {48, 0.05, 0.001, 21'000}, {128, 0.05, 0.001, 38'000}};
  std::printf("queues  loss  background   probes  found of 40  mean losses\n");
  for (const Cell& cell : kCells) {
    int found = 0;
    double losses = 0.0;
    constexpr int kTrials = 40;
    unsigned bits = 8;
    while ((1U << bits) < std::min<std::uint64_t>(cell.probes / 16, 8192)) ++bits;
    for (std::uint64_t key = 1; key <= kTrials; ++key) {
      std::mt19937_64 random(key * 977);
      const auto queues = toeplitz_queues(key, bits, cell.queues, 128);
      const PortCounts counts = draw_counts(bits, cell.probes, random, [&](std::uint32_t i) {
        return queues[i] == 1 ? cell.loss + cell.background : cell.background;
      });
      const PortSpectrum spectrum(counts.probes, counts.hits);
      losses += static_cast<double>(spectrum.total().hits) / kTrials;
      const auto match = find_blind_match(spectrum);
      found += match && match->score > kBlindLimit ? 1 : 0;
    }
    std::printf("%6zu %5.3f %11.3f %8llu %12d %12.0f\n", cell.queues, cell.loss, cell.background,
                static_cast<unsigned long long>(cell.probes), found, losses);
  }
}

TEST_CASE("speed of the blind search", "[.speed]") {
  for (unsigned bits = 8; bits <= 15; ++bits) {
    std::mt19937_64 random(bits);
    const auto queues = toeplitz_queues(bits, bits, 8, 128);
    const PortCounts counts =
        draw_counts(bits, 100'000, random, [&](std::uint32_t i) { return queues[i] == 3 ? 0.01 : 0.001; });
    const std::clock_t begin = std::clock();
    const auto match = match_of(counts);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%2u port bits: %6.1f ms of CPU, score %.0f\n", bits, 1e3 * seconds, match ? match->score : 0.0);
  }
}

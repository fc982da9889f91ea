// Tests of the keyed probe ids and of the seeded generator.
#include "volley/probe/probe_id.h"

#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "sample_plan.h"
#include "volley/probe/generator.h"

using namespace volley::probe;

TEST_CASE("siphash24 gives the paper's test value", "[probe_id]") {
  // Appendix A has 15 bytes; the reference vectors under the key 00 01 .. 0f
  // give for the 8 bytes 00 01 .. 07: 62 24 93 9a 79 f5 f5 93.
  CHECK(siphash24(0x0706050403020100U, 0x0f0e0d0c0b0a0908U, 0x0706050403020100U) == 0x93f5f5799a932462U);
}

TEST_CASE("ids depend on seed, nonce and number", "[probe_id]") {
  ProbePlan plan = sample::plan(sample::request());
  const ProbeIds ids(plan);
  CHECK(ids.token(7) == ProbeIds(plan).token(7));
  CHECK(ids.token(7) != ids.token(8));
  plan.id_nonce = 1;
  const ProbeIds other(plan);
  CHECK(ids.token(7) != other.token(7));
  plan.seed = 2;
  CHECK(other.token(7) != ProbeIds(plan).token(7));
}

TEST_CASE("ids repeat as rarely as 32 bits allow", "[probe_id]") {
  const ProbeIds ids(sample::plan(sample::request()));
  std::set<std::uint32_t> seen;
  constexpr std::uint64_t kCount = 200000;
  for (std::uint64_t i = 0; i < kCount; ++i) seen.insert(ids.token(i));
  // 4.7 repeats are expected by chance.
  CHECK(kCount - seen.size() < 20);
}

TEST_CASE("an IP identification is never zero", "[probe_id]") {
  CHECK(ip_identification(0xabcd0000) == 1);
  CHECK(ip_identification(0xabcd1234) == 0x1234);
}

TEST_CASE("the generator's draws are uniform and repeatable", "[probe_id]") {
  Generator generator(42);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70000; ++i) ++counts[generator.below(7)];
  double chi2 = 0;
  for (const int count : counts) chi2 += (count - 10000.0) * (count - 10000.0) / 10000.0;
  CHECK(chi2 < 22.5);  // 6 degrees of freedom, p = 0.001
  Generator again(42);
  Generator other(43);
  CHECK(again.next() != other.next());
  CHECK(Generator(42).next() == Generator(42).next());
}

// Keyed probe ids. Pure; any thread.
#include "volley/probe/probe_id.h"

#include <bit>

#include "volley/probe/generator.h"

namespace volley::probe {

namespace {

// Numbers that no probe has.
constexpr std::uint64_t kEchoIdNumber = ~std::uint64_t{0};
constexpr std::uint64_t kTimestampNumber = ~std::uint64_t{1};
constexpr std::uint64_t kWordBytes = 8;

struct SipState {
  std::uint64_t a, b, c, d;

  void round() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void absorb(std::uint64_t block) {
    d ^= block;
    round();
    round();
    a ^= block;
  }
};

}  // namespace

std::uint64_t siphash24(std::uint64_t key0, std::uint64_t key1, std::uint64_t word) {
  // "somepseudorandomlygeneratedbytes", the paper's constants.
  SipState state{key0 ^ 0x736f6d6570736575U, key1 ^ 0x646f72616e646f6dU, key0 ^ 0x6c7967656e657261U,
                 key1 ^ 0x7465646279746573U};
  state.absorb(word);
  state.absorb(kWordBytes << 56U);  // the last block: the length, and no bytes left over
  state.c ^= 0xffU;
  for (int i = 0; i < 4; ++i) {
    state.round();
  }
  return state.a ^ state.b ^ state.c ^ state.d;
}

ProbeIds::ProbeIds(const ProbePlan& plan)
    : key0_(mix64(plan.seed + 0x9e3779b97f4a7c15U)),
      key1_(mix64(plan.id_nonce ^ mix64(plan.seed))),
      first_echo_id_(static_cast<std::uint16_t>(siphash24(key0_, key1_, kEchoIdNumber))),
      timestamp_offset_(static_cast<std::uint32_t>(siphash24(key0_, key1_, kTimestampNumber))) {}

}  // namespace volley::probe

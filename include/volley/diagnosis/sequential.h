// Round two: does loss follow the port? Suspects, that lost in round one, are
// probed again beside controls, in random order.
//
// The evidence is an e-value: its mean is at most 1 whatever the loss is as long
// as it doesn't depend on the port, so it may be looked at after every probe and
// the round stopped at any moment (Ville's inequality). Pure; any thread.
#pragma once

#include <cstdint>

namespace volley::diagnosis {

// What round two has counted so far.
struct RoundTwo {
  std::uint64_t suspect_losses = 0;
  std::uint64_t control_losses = 0;
  double suspect_share = 0.5;  // of the probes that went to suspects; from 0 to 1
};

// ln of the e-value: how much better "a suspect's probe is lost more often"
// explains where the losses fell, averaged over every excess, than chance does.
double log_e_value(const RoundTwo& counts);

// Bound to the port if the e-value is above it: wrong in at most 1 of 2000 runs.
inline constexpr double kConfirmingEValue = 2000.0;

enum class RoundTwoVerdict : std::uint8_t {
  undecided,
  follows_port,  // may be said at any moment
  does_not,      // only for the end of the round: losses as even as uniform loss makes them
};

RoundTwoVerdict judge_running(const RoundTwo& counts);

// At the end of the round; the binomial tail may confirm what the e-value did not yet.
RoundTwoVerdict judge_finished(const RoundTwo& counts);

// ln P(X >= suspect losses) if each loss falls on a suspect by its share alone.
double log_binomial_p(const RoundTwo& counts);

}  // namespace volley::diagnosis

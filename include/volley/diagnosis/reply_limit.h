// Answers that come at a steady rate whatever is sent: a limit on ICMP, no loss.
//
// Loss of any kind makes the number of answers vary; a limit makes it more even
// than chance does. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

struct AnswerBin {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
};

// ln of the chance that answers to probes of equal luck spread over the bins
// as evenly as these, price of several looks paid. The burst that a limit
// lets through at first is left out.
double log_evenness_p(std::span<const AnswerBin> bins);

std::optional<Finding> find_reply_limit(const Subject& subject);

}  // namespace volley::diagnosis

// Notes that follow from plan and result; see the header.
#include "volley/report/notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "volley/report/number.h"
#include "volley/report/words.h"

namespace volley::report {
namespace {

constexpr double kShortfall = 0.02;
// Fewer SYN-ACKs than these say nothing about resets.
constexpr std::uint64_t kLeastResets = 20;

void add_rate(std::vector<std::string>& notes, const stats::RunResult& result) {
  const stats::LocalResult& local = result.local;
  if (local.rate_asked_pps <= 0.0 || local.rate_achieved_pps >= (1.0 - kShortfall) * local.rate_asked_pps ||
      local.rate_achieved_pps <= 0.0) {
    return;
  }
  notes.push_back(fmt::format("the rate was {} of {} asked for; the sender was behind its schedule by {} ms (p99)",
                              rate_text(local.rate_achieved_pps), rate_text(local.rate_asked_pps),
                              RttScale{}.format(local.sender_lag.p99_ns)));
}

void add_skipped_ports(std::vector<std::string>& notes, const stats::LocalResult& local) {
  if (local.skipped_ports.empty()) {
    return;
  }
  constexpr std::size_t kMostNamed = 8;
  const bool are_all_named = local.skipped_ports.size() <= kMostNamed;
  const std::vector<std::uint16_t> named(
      local.skipped_ports.begin(),
      local.skipped_ports.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamed, local.skipped_ports.size())));
  notes.push_back(fmt::format("{} left out, since local sockets hold {}: {}{}",
                              counted(local.skipped_ports.size(), "source port", "source ports"),
                              local.skipped_ports.size() == 1 ? "it" : "them", port_ranges(named),
                              are_all_named ? "" : ", ..."));
}

void add_resets(std::vector<std::string>& notes, const probe::ReceiveCounters& receive) {
  if (receive.resets_expected < kLeastResets || receive.resets_seen * 2 >= receive.resets_expected) {
    return;
  }
  notes.push_back(fmt::format(
      "of {} resets that this host owes the target {} were seen leaving: its firewall drops what is not of a known "
      "connection (like ct state invalid), and half-open entries stay at the target",
      receive.resets_expected, receive.resets_seen));
}

}  // namespace

std::vector<std::string> standard_notes(const probe::ProbePlan& plan, const stats::RunResult& result) {
  std::vector<std::string> notes = plan.warnings;
  add_rate(notes, result);
  add_skipped_ports(notes, result.local);
  const probe::ReceiveCounters& receive = result.local.receive;
  if (receive.clock_steps > 0) {
    notes.push_back(fmt::format("the clock of this host was set {} during the run; no RTT spans a step",
                                counted(receive.clock_steps, "time", "times")));
  }
  add_resets(notes, receive);
  if (receive.malformed > 0) {
    notes.push_back(fmt::format("{} could not be decoded", counted(receive.malformed, "frame", "frames")));
  }
  return notes;
}

}  // namespace volley::report

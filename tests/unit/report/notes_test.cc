// Notes that follow from plan and result.
#include "volley/report/notes.h"

#include <catch2/catch.hpp>

#include "samples.h"

using namespace volley::report;

namespace {

std::vector<std::string> notes_of(const samples::Sample& sample) {
  return standard_notes(sample.plan, sample.result);
}

}  // namespace

TEST_CASE("a run as asked for has no notes", "[report][notes]") {
  CHECK(notes_of(samples::nothing_wrong()).empty());
}

TEST_CASE("a shortfall of the rate is told from 2 % on", "[report][notes]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.result.local.rate_achieved_pps = 981.0;
  CHECK(notes_of(sample).empty());
  sample.result.local.rate_achieved_pps = 979.0;
  CHECK(
      notes_of(sample) ==
      std::vector<std::string>{"the rate was 979/s of 1000/s asked for; the sender was behind its schedule by 0.021 ms "
                               "(p99)"});
  sample.result.local.rate_asked_pps = 0.0;
  CHECK(notes_of(sample).empty());
}

TEST_CASE("skipped ports are named, not all of many", "[report][notes]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.result.local.skipped_ports = {40971};
  CHECK(notes_of(sample).front() == "1 source port left out, since local sockets hold it: 40971");
  for (std::uint16_t port = 40980; port < 41000; port = static_cast<std::uint16_t>(port + 2)) {
    sample.result.local.skipped_ports.push_back(port);
  }
  CHECK(notes_of(sample).front() ==
        "11 source ports left out, since local sockets hold them: "
        "40971,40980,40982,40984,40986,40988,40990,40992, ...");
}

TEST_CASE("resets that never left are told once there are enough to tell", "[report][notes]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.result.local.receive.resets_expected = 19;
  CHECK(notes_of(sample).empty());
  sample.result.local.receive.resets_expected = 500;
  CHECK(notes_of(sample).size() == 1);
  sample.result.local.receive.resets_seen = 490;
  CHECK(notes_of(sample).empty());
}

TEST_CASE("the plan's warnings come first, clock steps and broken frames too", "[report][notes]") {
  samples::Sample sample = samples::nothing_wrong();
  sample.plan.warnings = {"queue 5 has no source port"};
  sample.result.local.receive.clock_steps = 1;
  sample.result.local.receive.malformed = 2;
  CHECK(notes_of(sample) ==
        std::vector<std::string>{"queue 5 has no source port",
                                 "the clock of this host was set 1 time during the run; no RTT spans a step",
                                 "2 frames could not be decoded"});
}

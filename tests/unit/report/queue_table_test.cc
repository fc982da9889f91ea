// Queue tables: which queues are shown, and why all probes met one.
#include "volley/report/queue_table.h"

#include <catch2/catch.hpp>
#include <string>

#include "samples.h"

using namespace volley::report;
namespace rss = volley::rss;

namespace {

std::string remote_of(const samples::Sample& sample) {
  const Document document = sample.document();
  const TextOptions options;
  Page page(options);
  write_remote_queues(page, {document, options, RttScale{}}, 0);
  return page.take();
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the queue that a finding names is marked, no other", "[report][queue_table]") {
  samples::Sample sample = samples::bad_queue();
  CHECK(has(remote_of(sample), "\n      !     3   1250     63   5.0 %   ######"));
  sample.findings.front().destination = 1;
  CHECK_FALSE(has(remote_of(sample), "!"));
}

TEST_CASE("of many queues the worst are shown and the others counted", "[report][queue_table]") {
  samples::Sample sample = samples::many_queues();
  const std::string text = remote_of(sample);
  CHECK(has(text, "worst 8 of 48"));
  CHECK(has(text, "!    17   2000     20"));
  CHECK(has(text, "     40   2000      3"));
  CHECK(has(text, "and 40 others with 0 lost, p50 0.093 to 0.131 ms"));

  for (auto& queue : sample.result.destinations.front().remote_queues) {
    queue.lost += 1;
  }
  CHECK(has(remote_of(sample), "worst 16 of 48"));
  CHECK(has(remote_of(sample), "and 32 others with 32 lost"));
}

TEST_CASE("ICMP says that it meets one queue, with RSS known or not", "[report][queue_table]") {
  samples::Sample sample = samples::icmp_one_queue();
  CHECK(has(remote_of(sample), "all echoes fall on queue 5 of 8: ICMP is hashed on addresses alone"));
  sample.plan.rss.reset();
  sample.result.destinations.front().remote_queues.clear();
  CHECK(has(remote_of(sample), "all echoes fall on one receive queue of the target: ICMP is hashed on"));
}

TEST_CASE("UDP on addresses alone says how to spread it", "[report][queue_table]") {
  samples::Sample sample = samples::udp_one_queue();
  CHECK(has(remote_of(sample), "all probes fall on queue 5 of 8"));
  CHECK(has(remote_of(sample), "rx-flow-hash udp6 sdfn"));
  sample.plan.rss->udp_fields = rss::HashFields::addresses_and_ports;
  CHECK_FALSE(has(remote_of(sample), "rx-flow-hash"));
}

TEST_CASE("without RSS there is no table", "[report][queue_table]") {
  CHECK(remote_of(samples::nothing_wrong()).empty());
}

TEST_CASE("a queue that no probe reached has dashes", "[report][queue_table]") {
  samples::Sample sample = samples::bad_queue();
  auto& queue = sample.result.destinations.front().remote_queues[7];
  queue = {};
  queue.queue = 7;
  CHECK(has(remote_of(sample), "    7      0      0       -                -       -       -\n"));
}

TEST_CASE("quantiles need enough replies", "[report][queue_table]") {
  samples::Sample sample = samples::bad_queue();
  for (auto& queue : sample.result.destinations.front().remote_queues) {
    queue.rtt.count = 99;
  }
  const std::string text = remote_of(sample);
  CHECK(has(text, "p50   p99     max"));
  CHECK(has(text, "0.093     -   1.322"));
}

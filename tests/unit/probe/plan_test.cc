// Tests of make_plan: sizes, defaults, every conflict, warnings.
#include "volley/probe/plan.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sample_plan.h"
#include "volley/rss/flow_hasher.h"

using namespace volley;
using namespace volley::probe;
using namespace std::chrono_literals;

namespace {

bool mentions(const std::vector<std::string>& sentences, const std::string& words) {
  return std::any_of(sentences.begin(), sentences.end(),
                     [&](const std::string& s) { return s.find(words) != std::string::npos; });
}

PlanRequest counted(std::uint64_t count, double rate) {
  PlanRequest request = sample::request();
  request.count = count;
  request.rate_pps = rate;
  return request;
}

}  // namespace

TEST_CASE("a default plan runs 10 s at 1000/s over 2048 aligned ports", "[plan]") {
  const ProbePlan plan = sample::plan(sample::request());
  CHECK(plan.rate_pps == 1000.0);
  CHECK(plan.duration == 10s);
  CHECK(plan.count == 0);
  CHECK(plan.timeout == 1s);
  CHECK(planned_probes(plan) == 10000);
  CHECK(plan.source_ports.size() == 2048);
  CHECK(plan.port_bits == 11);
  CHECK(plan.port_base % 2048 == 0);
  CHECK(plan.port_base >= 32768);
  CHECK(plan.source_ports.front() == plan.port_base);
  CHECK(plan.source_ports.back() == plan.port_base + 2047);
  CHECK(plan.warnings.empty());
  CHECK(plan.payload_bytes == 0);
}

TEST_CASE("the port set grows with rate and length", "[plan]") {
  CHECK(sample::plan(counted(100000, 10000)).source_ports.size() == 32768);
  CHECK(sample::plan(counted(5, 1)).source_ports.size() == 256);
  CHECK(sample::plan(counted(1000000, 100)).source_ports.size() == 8192);
  PlanRequest endless = sample::request();
  endless.duration = 0ns;
  CHECK(sample::plan(endless).source_ports.size() == 8192);
  CHECK(planned_probes(sample::plan(endless)) == 0);
  endless.rate_is_max = true;
  CHECK(sample::plan(endless).source_ports.size() == 32768);
}

TEST_CASE("the port set is sized for the probes of one destination", "[plan]") {
  PlanRequest request = sample::request();
  request.rate_pps = 8000;
  for (std::uint16_t port = 1; port <= 7; ++port) request.destinations.push_back(sample::destination("10.0.3.7", port));
  CHECK(sample::plan(request).source_ports.size() == 2048);
}

TEST_CASE("the block depends on the seed and stays in the range", "[plan]") {
  std::vector<std::uint16_t> bases;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    PlanRequest request = sample::request();
    request.seed = seed;
    bases.push_back(sample::plan(request).port_base);
  }
  std::sort(bases.begin(), bases.end());
  CHECK(std::unique(bases.begin(), bases.end()) - bases.begin() > 8);
}

TEST_CASE("a small range gives its largest aligned block", "[plan]") {
  PlanRequest request = sample::request();
  request.first_source_port = 40001;
  request.last_source_port = 41024;
  const ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 512);
  CHECK(plan.port_base % 512 == 0);
  request.first_source_port = request.last_source_port = 40001;
  CHECK(sample::plan(request).source_ports == std::vector<std::uint16_t>{40001});
}

TEST_CASE("a count of source ports is taken exactly", "[plan]") {
  PlanRequest request = sample::request();
  request.source_port_count = 1000;
  ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 1000);
  CHECK(plan.port_bits == 10);
  request.source_port_count = 1024;
  plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 1024);
  request.first_source_port = 40001;
  request.last_source_port = 41024;
  plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 512);
  CHECK(mentions(plan.warnings, "only 512 used"));
}

TEST_CASE("a list of source ports is taken as it is", "[plan]") {
  PlanRequest request = sample::request();
  request.listed_source_ports = {51830, 33017, 61204, 33017};
  const ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports == std::vector<std::uint16_t>{33017, 51830, 61204});
  CHECK(plan.port_base == 32768);
  CHECK(plan.port_bits == 15);
}

TEST_CASE("held ports are left out and listed", "[plan]") {
  PlanRequest request = sample::request();
  request.first_source_port = 40960;
  request.last_source_port = 41215;
  request.held_ports = {22, 41000, 41001};
  const ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports.size() == 254);
  CHECK(plan.skipped_ports == std::vector<std::uint16_t>{41000, 41001});
  request.listed_source_ports = {41000, 41001};
  CHECK(mentions(sample::errors(request), "local sockets hold all 2 source ports"));
}

TEST_CASE("a target on this host never shares a port with the source ports", "[plan]") {
  PlanRequest request = sample::request();
  request.destinations = {sample::destination("127.0.0.1", 41000, "127.0.0.1")};
  request.first_source_port = 40960;
  request.last_source_port = 41215;
  CHECK(sample::plan(request).skipped_ports == std::vector<std::uint16_t>{41000});
}

TEST_CASE("count, duration and interval bound a run", "[plan]") {
  PlanRequest request = counted(500, 1000);
  request.destinations.push_back(sample::destination("10.0.3.8", 443));
  ProbePlan plan = sample::plan(request);
  CHECK(plan.duration == 0ns);
  CHECK(planned_probes(plan) == 1000);
  request.duration = 100ms;
  CHECK(planned_probes(sample::plan(request)) == 100);
  PlanRequest paced = sample::request();
  paced.interval = 7ms;
  paced.duration = 7s;
  CHECK(planned_probes(sample::plan(paced)) == 1000);
  paced.interval = 100ms;
  CHECK(sample::plan(paced).rate_pps == 10.0);
}

TEST_CASE("every conflict is found at once", "[plan]") {
  PlanRequest request;
  request.protocol = Protocol::icmp;
  request.destinations = {sample::destination("239.1.2.3", 80)};
  request.rate_pps = 100.0;
  request.interval = 10ms;
  request.source_port_count = 5;
  request.count = 0;
  request.timeout = 0ns;
  request.ttl = 0;
  request.dscp = 64;
  request.tcp_flags = 0x10;
  request.udp_payload = UdpPayload::dns;
  request.only_queue = 3;
  const PlanErrors errors = sample::errors(request);
  CHECK(mentions(errors, "239.1.2.3 is a multicast address"));
  CHECK(mentions(errors, "ICMP has no ports: 239.1.2.3:80"));
  CHECK(mentions(errors, "--rate and --interval"));
  CHECK(mentions(errors, "--source-port-count"));
  CHECK(mentions(errors, "--count must"));
  CHECK(mentions(errors, "--timeout must"));
  CHECK(mentions(errors, "--ttl"));
  CHECK(mentions(errors, "--dscp 64"));
  CHECK(mentions(errors, "--tcp-flags doesn't go with icmp"));
  CHECK(mentions(errors, "--udp-payload doesn't go with icmp"));
  CHECK(mentions(errors, "--queue 3 needs to know the target's RSS"));
}

TEST_CASE("single conflicts", "[plan]") {
  PlanRequest request = sample::request();
  SECTION("no target") {
    request.destinations.clear();
    CHECK(mentions(sample::errors(request), "no target"));
  }
  SECTION("port 0") {
    request.destinations[0].port = 0;
    CHECK(mentions(sample::errors(request), "port 0 can't be probed"));
  }
  SECTION("broadcast and unspecified") {
    request.destinations = {sample::destination("255.255.255.255"), sample::destination("0.0.0.0", 80)};
    CHECK(mentions(sample::errors(request), "broadcast"));
    CHECK(mentions(sample::errors(request), "unspecified"));
  }
  SECTION("families") {
    request.destinations = {sample::destination("fd00::1", 80, "10.0.0.1")};
    CHECK(mentions(sample::errors(request), "one is IPv4, the other IPv6"));
  }
  SECTION("rates") {
    request.rate_pps = 0.0;
    CHECK(mentions(sample::errors(request), "--rate must be above 0"));
    request.rate_pps = 1e-9;
    CHECK(mentions(sample::errors(request), "less than a probe a day"));
    request.rate_pps = 1e10;
    CHECK(mentions(sample::errors(request), "10000000000/s"));
    request.rate_pps.reset();
    request.interval = -1ns;
    CHECK(mentions(sample::errors(request), "--interval must be above 0"));
  }
  SECTION("too much in flight") {
    request.rate_pps = 100000;
    request.timeout = 60s;
    CHECK(mentions(sample::errors(request), "6000000 probes in flight"));
  }
  SECTION("ranges and lists") {
    request.first_source_port = 50000;
    request.last_source_port = 40000;
    CHECK(mentions(sample::errors(request), "the range ends before it begins"));
    request.first_source_port = 0;
    CHECK(mentions(sample::errors(request), "source port 0"));
    request = sample::request();
    request.source_port_count = 40000;
    CHECK(mentions(sample::errors(request), "has only 32768"));
    request.listed_source_ports = {1, 0};
    CHECK(mentions(sample::errors(request), "doesn't go with a list"));
    CHECK(mentions(sample::errors(request), "source port 0"));
  }
  SECTION("size") {
    request.payload_bytes_given = true;
    request.payload_bytes = 1500;
    request.dont_fragment = true;
    CHECK(mentions(sample::errors(request), "the MTU of eth0 is 1500, and --df forbids fragments"));
    request.payload_bytes = 1440;
    CHECK(sample::plan(request).payload_bytes == 1440);
    request.payload_bytes = 65535;
    CHECK(mentions(sample::errors(request), "IP packets have at most 65535"));
  }
  SECTION("a reset is no probe") {
    request.tcp_flags = 0x04;
    CHECK(mentions(sample::errors(request), "never answered"));
  }
  SECTION("payloads with a length of their own") {
    request = sample::request(Protocol::udp);
    request.payload_bytes_given = true;
    request.payload_bytes = 2;
    request.udp_payload = UdpPayload::dns;
    CHECK(mentions(sample::errors(request), "--size doesn't go with"));
    request.udp_payload = UdpPayload::echo;
    CHECK(mentions(sample::errors(request), "at least 4 bytes"));
  }
}

TEST_CASE("a public address gets more than 1000/s only with --force", "[plan]") {
  PlanRequest request = sample::request();
  request.destinations = {sample::destination("203.0.113.9")};
  request.rate_pps = 20000;
  CHECK(sample::errors(request) ==
        PlanErrors{"20000/s towards the public address 203.0.113.9: more than 1000/s needs --force"});
  request.allow_public_rate = true;
  CHECK(sample::plan(request).rate_pps == 20000.0);
  request.allow_public_rate = false;
  request.rate_pps = 1000;
  CHECK(sample::plan(request).rate_pps == 1000.0);
  request.rate_is_max = true;
  CHECK(mentions(sample::errors(request), "an unlimited rate towards the public address 203.0.113.9"));
  // Two ports of one address are one target; other addresses have their own share.
  request.rate_is_max = false;
  request.rate_pps = 1500;
  request.destinations = {sample::destination("203.0.113.9", 80), sample::destination("203.0.113.9", 81)};
  CHECK(mentions(sample::errors(request), "1500/s towards"));
  request.destinations[1] = sample::destination("203.0.113.10", 81);
  CHECK(sample::plan(request).destinations.size() == 2);
}

TEST_CASE("--queue keeps the ports of that queue", "[plan]") {
  PlanRequest request = sample::request();
  request.rss = sample::rss_config(8);
  request.only_queue = 5;
  const ProbePlan plan = sample::plan(request);
  CHECK(plan.source_ports.size() > 1500);  // as many as a run without --queue, about
  for (const std::uint16_t port : plan.source_ports) {
    REQUIRE(remote_queue(plan, plan.destinations[0], port) == 5);
  }
  request.only_queue = 9;
  CHECK(sample::errors(request) == PlanErrors{"--queue 9: this RSS table has queues 0 to 7"});
  request.only_queue = 3;
  request.rss->table = {0, 5, 0, 5};
  CHECK(mentions(sample::errors(request), "--queue 3: no entry"));
  request = sample::request(Protocol::icmp);
  request.rss = sample::rss_config(8);
  request.only_queue = 1;
  CHECK(mentions(sample::errors(request), "ICMP is hashed on addresses alone"));
}

TEST_CASE("--queue serves every destination", "[plan]") {
  PlanRequest request = sample::request();
  request.rss = sample::rss_config(8);
  request.only_queue = 5;
  request.destinations.push_back(sample::destination("10.0.3.8", 80));
  const ProbePlan plan = sample::plan(request);
  for (const Destination& to : plan.destinations) {
    const auto reach = std::count_if(plan.source_ports.begin(), plan.source_ports.end(),
                                     [&](std::uint16_t port) { return remote_queue(plan, to, port) == 5; });
    CHECK(reach > 500);
  }
}

TEST_CASE("warnings", "[plan]") {
  PlanRequest request = sample::request();
  SECTION("ports that come round too soon") {
    request.source_port_count = 512;
    const auto warnings = sample::plan(request).warnings;
    CHECK(mentions(warnings,
                   "with 512 source ports at 1000/s a port can come again after 257 ms, sooner than the "
                   "timeout of 1 s"));
    CHECK(mentions(warnings, "sooner than the 1.25 s that a half-open entry"));
  }
  SECTION("an ACK probe leaves no half-open entry") {
    request.source_port_count = 512;
    request.tcp_flags = 0x10;
    CHECK_FALSE(mentions(sample::plan(request).warnings, "half-open"));
  }
  SECTION("one probe a port") {
    request.source_port_count = 1;
    request.count = 1;
    CHECK(sample::plan(request).warnings.empty());
  }
  SECTION("queues without a port") {
    request.rss = sample::rss_config(8);
    request.listed_source_ports = {40000};
    request.count = 1;
    CHECK(mentions(sample::plan(request).warnings, "no source port of the set reaches queues"));
  }
  SECTION("hashes without ports") {
    request = sample::request(Protocol::udp);
    request.rss = sample::rss_config(8);
    request.rss->udp_fields = rss::HashFields::addresses;
    CHECK(mentions(sample::plan(request).warnings, "leaves the ports of udp out of the hash"));
    request = sample::request(Protocol::icmp);
    CHECK(mentions(sample::plan(request).warnings, "ICMP is hashed on addresses alone"));
    CHECK(sample::plan(request).source_ports.empty());
  }
  SECTION("a target named twice") {
    request.destinations.push_back(request.destinations[0]);
    const ProbePlan plan = sample::plan(request);
    CHECK(plan.destinations.size() == 1);
    CHECK(mentions(plan.warnings, "1 target named more than once"));
  }
}

TEST_CASE("payload sizes by protocol", "[plan]") {
  CHECK(sample::plan(sample::request(Protocol::icmp)).payload_bytes == 56);
  PlanRequest request = sample::request(Protocol::udp);
  CHECK(sample::plan(request).payload_bytes == 16);
  request.payload_bytes_given = true;
  CHECK(sample::plan(request).payload_bytes == 0);
  request.payload_bytes_given = false;
  request.udp_payload = UdpPayload::ntp;
  CHECK(sample::plan(request).payload_bytes == 48);
  request.udp_payload = UdpPayload::custom;
  request.custom_payload = {1, 2, 3};
  CHECK(sample::plan(request).payload_bytes == 3);
}

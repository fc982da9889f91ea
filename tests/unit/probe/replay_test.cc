// Tests of reading captures: the same frames give the same verdicts as the run
// that they were taken from.
#include "volley/probe/replay.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <tuple>

#include "../../sim/simulated_run.h"
#include "sample_plan.h"
#include "volley/probe/survey.h"
#include "volley/wire/decode.h"

using namespace volley;
using namespace volley::probe;
using namespace volley::sim;

namespace {

struct Capture {
  struct Frame {
    CapturedFrame frame;
    std::vector<std::uint8_t> bytes;
  };
  void add(const CapturedFrame& frame) {
    frames.push_back({frame, std::vector<std::uint8_t>(frame.bytes.begin(), frame.bytes.end())});
  }
  void hand_over(FrameHandler& handler) const {
    for (const Frame& kept : frames) {
      CapturedFrame frame = kept.frame;
      frame.origin = FrameOrigin::either;  // a file doesn't know
      frame.bytes = kept.bytes;
      handler.on_frame(frame);
    }
  }
  std::vector<Frame> frames;
};

struct Both {
  OutcomeLog live;
  OutcomeLog read;
  ReceiveCounters live_counters;
  ReceiveCounters read_counters;
  ProbePlan plan;
  ProbePlan read_plan;
};

ProbePlan replay_plan(Survey& survey, const ReplayOptions& options = {}) {
  auto made = make_replay_plan(survey, options);
  REQUIRE(std::holds_alternative<ProbePlan>(made));
  return std::get<ProbePlan>(made);
}

Both run_and_read(PlanRequest request, const Settings& settings) {
  Both both;
  both.plan = sample::plan(request);
  SimulatedNetwork network(settings);
  Capture capture;
  network.on_captured = [&](const CapturedFrame& frame) {
    // The capture filter of a run lets a sixteenth of our resets through.
    wire::DecodedPacket packet;
    wire::decode_ip(frame.bytes, packet);
    const bool is_reset = packet.tcp && packet.tcp->flags == wire::tcp_flag::kRst;
    if (!is_reset || is_reset_sampled(both.plan, packet.tcp->source_port)) capture.add(frame);
  };
  both.live_counters = run(both.plan, network, both.live).counters;
  Survey survey;
  capture.hand_over(survey);
  both.read_plan = replay_plan(survey);
  Replay replay(both.read_plan, both.read, survey.first_frame_ns());
  capture.hand_over(replay);
  replay.finish(CaptureEnd::after_timeouts);
  both.read_counters = replay.counters();
  return both;
}

using Row = std::tuple<std::uint16_t, int, int, std::int64_t>;

// Verdicts in the order of sending, without what a capture can't hold.
std::vector<Row> rows(const OutcomeLog& log) {
  std::vector<Outcome> outcomes = log.outcomes;
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) { return a.sent_ns < b.sent_ns; });
  std::vector<Row> rows;
  for (const Outcome& o : outcomes) {
    if (o.verdict == Verdict::not_sent) continue;
    rows.emplace_back(o.source_port, static_cast<int>(o.verdict), static_cast<int>(o.reply), o.rtt_ns.value_or(-1));
  }
  return rows;
}

PlanRequest counted(Protocol protocol) {
  PlanRequest request = sample::request(protocol);
  request.count = 4000;
  request.rate_pps = 2000;
  request.seed = 5;
  return request;
}

}  // namespace

TEST_CASE("a capture gives the numbers of its run", "[replay]") {
  Settings settings;
  settings.forward = lose(0.02);
  settings.reverse = both(lose(0.05), [](const wire::DecodedPacket&, std::int64_t, Generator& generator) {
    return Fate{.delay_ns = generator.below(100) == 0 ? 2 * kMillisecond : 0,
                .copies = generator.below(50) == 0 ? 1 : 0};
  });
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
    const Both b = run_and_read(counted(protocol), settings);
    CAPTURE(static_cast<int>(protocol));
    CHECK((rows(b.read) == rows(b.live)));
    CHECK(b.read.reverse() == b.live.reverse());
    CHECK(b.read.reordered() == b.live.reordered());
    CHECK(b.read.strays == b.live.strays);
    CHECK(b.read_counters.resets_seen == b.live_counters.resets_seen);
    CHECK(b.read_counters.resets_expected == b.live_counters.resets_expected);
    CHECK(b.read_plan.destinations.size() == 1);
    CHECK(b.read_plan.destinations[0].port == b.plan.destinations[0].port);
    CHECK(b.read_plan.rate_pps == Approx(2000).epsilon(0.1));
    CHECK(b.read_plan.payload_bytes == b.plan.payload_bytes);
  }
}

TEST_CASE("every UDP payload is found again", "[replay]") {
  for (const UdpPayload kind :
       {UdpPayload::sized, UdpPayload::echo, UdpPayload::custom, UdpPayload::dns, UdpPayload::ntp}) {
    PlanRequest request = counted(Protocol::udp);
    request.udp_payload = kind;
    request.custom_payload = {1, 2, 3};
    // The simulated target echoes; it answers DNS and NTP from its closed port.
    Settings settings;
    if (kind == UdpPayload::dns || kind == UdpPayload::ntp) settings.target.udp_echo.clear();
    settings.reverse = lose(0.05);
    const Both b = run_and_read(request, settings);
    CAPTURE(static_cast<int>(kind));
    CHECK((rows(b.read) == rows(b.live)));
    CHECK(b.live.count(Verdict::answered) > 3600);
    CHECK((b.read_plan.udp_payload == kind || kind == UdpPayload::echo));
  }
}

TEST_CASE("loopback and IPv6 captures", "[replay]") {
  PlanRequest request = counted(Protocol::tcp);
  request.destinations = {sample::destination("::1", 443, "::1")};
  Settings settings;
  settings.sees_once = true;
  const Both b = run_and_read(request, settings);
  CHECK((rows(b.read) == rows(b.live)));
  CHECK(b.read.count(Verdict::answered) == 4000);
}

namespace {

// A capture with several probers in it.
Survey mixed_survey() {
  Survey survey;
  PacketBuilder builder;
  const auto see = [&](const std::vector<std::uint8_t>& packet, std::int64_t at) {
    CapturedFrame frame;
    frame.time_ns = 1'000'000'000 + at;
    frame.link_type = wire::LinkType::raw_ip;
    frame.bytes = packet;
    survey.on_frame(frame);
  };
  const auto ip = [](const std::string& from, const std::string& to) {
    return IpFields{
        .source = sample::address(from), .destination = sample::address(to), .ttl = 64, .identification = 1};
  };
  for (std::uint16_t i = 0; i < 300; ++i) {
    const auto port = static_cast<std::uint16_t>(40000 + i);
    see(builder.tcp(ip("10.0.0.1", "10.0.0.2"), {port, 443, i, 0, 2, 1, {}}, {}), i * 1'000'000);
    see(builder.tcp(ip("10.0.0.2", "10.0.0.1"), {443, port, 9, i + 1U, 0x12, 1, {}}, {}), i * 1'000'000 + 5);
    if (i % 2 == 0) see(builder.udp(ip("10.0.0.1", "10.0.0.3"), {port, 53}, {}), i * 1'000'000 + 7);
    if (i % 2 == 0) see(builder.udp(ip("10.0.0.3", "10.0.0.1"), {53, port}, {}), i * 1'000'000 + 9);
    if (i % 5 == 0) see(builder.tcp(ip("10.0.0.9", "10.0.0.2"), {port, 80, i, 0, 2, 1, {}}, {}), i * 1'000'000 + 11);
  }
  see(builder.tcp(ip("10.0.0.1", "10.0.0.4"), {50000, 22, 1, 0, 2, 1, {}}, {}), 13);
  see(builder.udp(ip("10.0.0.1", "224.0.0.251"), {5353, 5353}, {}), 14);
  return survey;
}

}  // namespace

TEST_CASE("a survey finds who probes whom", "[replay]") {
  Survey survey = mixed_survey();
  const auto groups = survey.groups();
  REQUIRE(groups.size() == 4);  // answers, and what goes to many hosts, are none
  CHECK(groups[0].probes == 300);
  CHECK(groups[0].source_ports.size() == 300);
  const ProbePlan main = replay_plan(survey);
  CHECK(main.protocol == Protocol::tcp);
  REQUIRE(main.destinations.size() == 2);  // the single connection to port 22 is noise
  CHECK(main.warnings.size() == 1);
  CHECK(main.rate_pps == Approx(360.0 / 0.299).epsilon(0.01));
  const ProbePlan udp = replay_plan(
      survey, {.protocol = Protocol::udp, .source = {}, .target = {}, .port = {}, .rss = {}, .rss_source = {}});
  CHECK(udp.destinations.size() == 1);
  CHECK(udp.destinations[0].port == 53);
  ReplayOptions options;
  options.port = 22;
  CHECK(replay_plan(survey, options).destinations[0].address == sample::address("10.0.0.4"));
  options.port = 23;
  Survey empty;
  CHECK(std::holds_alternative<PlanErrors>(make_replay_plan(survey, options)));
  CHECK(std::holds_alternative<PlanErrors>(make_replay_plan(empty, {})));
}

TEST_CASE("a SYN sent again by its own kernel is one probe", "[replay]") {
  PacketBuilder builder;
  const IpFields out{.source = sample::address("10.0.0.1"),
                     .destination = sample::address("10.0.0.2"),
                     .ttl = 64,
                     .identification = 1};
  const IpFields back{.source = out.destination, .destination = out.source, .ttl = 64, .identification = 1};
  Capture capture;
  const auto see = [&](const std::vector<std::uint8_t>& packet, std::int64_t at_ms) {
    CapturedFrame frame;
    frame.time_ns = (1000 + at_ms) * kMillisecond;
    frame.link_type = wire::LinkType::raw_ip;
    frame.bytes = packet;
    capture.add(frame);
  };
  see(builder.tcp(out, {40000, 443, 77, 0, 2, 1, {}}, {}), 0);
  see(builder.tcp(out, {40000, 443, 77, 0, 2, 1, {}}, {}), 1000);
  see(builder.tcp(back, {443, 40000, 5, 78, 0x12, 1, {}}, {}), 1010);
  Survey survey;
  capture.hand_over(survey);
  const ProbePlan plan = replay_plan(survey);
  OutcomeLog log;
  Replay replay(plan, log, survey.first_frame_ns());
  capture.hand_over(replay);
  replay.finish(CaptureEnd::after_timeouts);
  REQUIRE(log.outcomes.size() == 1);
  CHECK(log.outcomes[0].verdict == Verdict::lost);
  CHECK(log.outcomes[0].sent_ns == 0);
}

TEST_CASE("the end of a capture", "[replay]") {
  PacketBuilder builder;
  const IpFields out{.source = sample::address("10.0.0.1"),
                     .destination = sample::address("10.0.0.2"),
                     .ttl = 64,
                     .identification = 1};
  const auto packet = builder.echo(out, {1, 1}, {});
  CapturedFrame frame;
  frame.time_ns = kSecond;
  frame.link_type = wire::LinkType::raw_ip;
  frame.bytes = packet;
  Survey survey;
  survey.on_frame(frame);
  const ProbePlan plan = replay_plan(survey);
  for (const CaptureEnd end : {CaptureEnd::after_timeouts, CaptureEnd::at_last_frame}) {
    OutcomeLog log;
    Replay replay(plan, log, survey.first_frame_ns());
    replay.on_frame(frame);
    replay.finish(end);
    REQUIRE(log.outcomes.size() == 1);
    CHECK(log.outcomes[0].verdict == (end == CaptureEnd::after_timeouts ? Verdict::lost : Verdict::in_flight));
  }
}

// Tests of the sender's side with a sink that looks at what it is given.
#include "volley/probe/sprayer.h"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "sample_plan.h"
#include "volley/probe/protocol.h"
#include "volley/wire/decode.h"

using namespace volley;
using namespace volley::probe;

namespace {

struct WatchingSink final : FrameSink {
  void send(std::span<OutgoingPacket> packets) override {
    batches.push_back(packets.size());
    for (OutgoingPacket& packet : packets) {
      wire::DecodedPacket decoded;
      REQUIRE(wire::decode_ip(packet.bytes, decoded) == wire::DecodeStatus::ok);
      if (look) look(packet, decoded);
      destinations.push_back(packet.destination);
    }
  }
  std::function<void(OutgoingPacket&, const wire::DecodedPacket&)> look;
  std::vector<std::size_t> batches;
  std::vector<std::uint32_t> destinations;
};

std::int64_t run(Sprayer& sprayer, FrameSink& sink, std::size_t most_steps = 100'000) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < most_steps; ++i) {
    const auto due = sprayer.next_due_ns();
    if (!due) break;
    last = *due;
    sprayer.step(last, 1'000'000 + last, sink);
  }
  return last;
}

PlanRequest counted(Protocol protocol, std::uint64_t count, double rate = 1000) {
  PlanRequest request = sample::request(protocol);
  request.count = count;
  request.rate_pps = rate;
  return request;
}

}  // namespace

TEST_CASE("a probe's record can be found before its frame is written", "[sprayer]") {
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
    const ProbePlan plan = sample::plan(counted(protocol, 500));
    const Endpoints endpoints(plan);
    FlightTable table(1024);
    Sprayer sprayer(plan, table, 0);
    WatchingSink sink;
    std::uint64_t number = 0;
    sink.look = [&](OutgoingPacket&, const wire::DecodedPacket& packet) {
      const Sighting seen = protocol_row(protocol).recognise(plan, endpoints, packet);
      REQUIRE(seen.kind == SightingKind::probe);
      REQUIRE(table.newest(seen.key) == number);
      const FlightRecord& record = table.at(number);
      REQUIRE(seen.evidence.fits(record.token));
      REQUIRE(record.written_ns == 1'000'000 + static_cast<std::int64_t>(number) * 1'000'000);
      ++number;
    };
    const std::int64_t last = run(sprayer, sink);
    CHECK(number == 500);
    CHECK(sprayer.probes_begun() == 500);
    CHECK(last == 499'000'000);
    CHECK(sprayer.last_sent_ns() == last);
  }
}

TEST_CASE("each destination gets its count, in turn", "[sprayer]") {
  PlanRequest request = counted(Protocol::tcp, 100);
  request.destinations.push_back(sample::destination("10.0.3.8", 80));
  request.destinations.push_back(sample::destination("fd00::7", 80, "fd00::9"));
  const ProbePlan plan = sample::plan(request);
  FlightTable table(1024);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  sink.look = [&](OutgoingPacket& packet, const wire::DecodedPacket& decoded) {
    REQUIRE(decoded.ip.destination == plan.destinations[packet.destination].address);
    REQUIRE(decoded.tcp->destination_port == plan.destinations[packet.destination].port);
  };
  run(sprayer, sink);
  REQUIRE(sink.destinations.size() == 300);
  for (std::size_t i = 0; i < 300; ++i) REQUIRE(sink.destinations[i] == i % 3);
}

TEST_CASE("batches hold 100 microseconds of schedule", "[sprayer]") {
  const ProbePlan plan = sample::plan(counted(Protocol::udp, 1000, 50'000));
  FlightTable table(1024);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  run(sprayer, sink);
  CHECK(sink.batches == std::vector<std::size_t>(200, 5));
}

TEST_CASE("a failed write is marked, with its reason", "[sprayer]") {
  const ProbePlan plan = sample::plan(counted(Protocol::tcp, 10));
  FlightTable table(1024);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  int packets = 0;
  sink.look = [&](OutgoingPacket& packet, const wire::DecodedPacket&) {
    if (packets++ == 4) packet.error = NotSentReason::not_permitted;
  };
  run(sprayer, sink);
  for (std::uint64_t i = 0; i < 10; ++i) {
    CHECK(table.at(i).not_sent == (i == 4 ? NotSentReason::not_permitted : NotSentReason::none));
  }
}

TEST_CASE("a full table skips probes on schedule, and holds up those without one", "[sprayer]") {
  ProbePlan plan = sample::plan(counted(Protocol::tcp, 100));
  FlightTable table(64);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  run(sprayer, sink);
  CHECK(sink.destinations.size() == 64);
  CHECK(table.skipped(0) == 36);
  CHECK(sprayer.probes_begun() == 100);

  plan.rate_pps = 0;
  FlightTable small(64);
  Sprayer fast(plan, small, 0);
  WatchingSink fast_sink;
  run(fast, fast_sink, 1000);
  CHECK(fast_sink.destinations.size() == 64);
  CHECK(small.skipped() == 0);
  small.release_up_to(64);
  run(fast, fast_sink, 1000);
  CHECK(fast_sink.destinations.size() == 100);
}

TEST_CASE("an ICMP id changes only every 65,536 probes", "[sprayer]") {
  const ProbePlan plan = sample::plan(counted(Protocol::icmp, 70'000, 100'000));
  FlightTable table(131'072);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  std::set<std::uint16_t> ids;
  std::uint32_t sequence = 0;
  sink.look = [&](OutgoingPacket&, const wire::DecodedPacket& packet) {
    ids.insert(packet.icmp->identifier);
    REQUIRE(packet.icmp->sequence == (sequence++ & 0xffffU));
  };
  run(sprayer, sink);
  CHECK(ids.size() == 2);
}

TEST_CASE("the TCP timestamp goes with the time", "[sprayer]") {
  const ProbePlan plan = sample::plan(counted(Protocol::tcp, 100, 10));
  FlightTable table(1024);
  Sprayer sprayer(plan, table, 0);
  WatchingSink sink;
  std::optional<std::uint32_t> last;
  sink.look = [&](OutgoingPacket&, const wire::DecodedPacket& packet) {
    const std::uint32_t now = packet.tcp->options.timestamp_value.value();
    if (last) REQUIRE(now - *last == 100);
    last = now;
  };
  run(sprayer, sink);
  CHECK(last);
}

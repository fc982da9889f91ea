// A matcher with hand-made probes and frames: the tests say what was sent, seen
// and when.
//
// Times are nanoseconds since the start of the run; the wall clock lies far away
// from zero, as it does.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "../../sim/simulated_run.h"
#include "sample_plan.h"
#include "volley/probe/matcher.h"
#include "volley/probe/protocol.h"
#include "volley/wire/icmp.h"

namespace volley::probe {

inline constexpr std::int64_t kMs = 1'000'000;
inline constexpr std::int64_t kWall = 1'700'000'000'000'000'000;

struct MatcherBench {
  explicit MatcherBench(const PlanRequest& request = sample::request(), std::size_t capacity = 1024)
      : plan(sample::plan(request)),
        row(protocol_row(plan.protocol)),
        table(capacity),
        matcher(plan, table, log, kWall) {
    table.prepare_skips(plan.destinations.size());
  }

  std::uint16_t port(std::size_t index) const { return plan.source_ports[index]; }

  // Writes a probe at `at`; TCP and UDP.
  std::uint64_t write(std::size_t port_index, std::uint32_t token, std::int64_t at, std::uint32_t destination = 0) {
    fields.push_back({.token = token, .source_port = port(port_index)});
    to.push_back(destination);
    return table.publish(row.key(destination, fields.back()), token, port(port_index), kWall + at, 0);
  }
  // The departure of that probe is seen.
  void depart(std::uint64_t number, std::int64_t at) { see(packet_of(number), at, FrameOrigin::departure); }
  std::uint64_t send(std::size_t port_index, std::uint32_t token, std::int64_t at, std::uint32_t destination = 0) {
    const std::uint64_t number = write(port_index, token, at, destination);
    depart(number, at);
    return number;
  }
  std::vector<std::uint8_t> packet_of(std::uint64_t number) {
    return row.build(builder, plan, plan.destinations[to[number]], fields[number]);
  }

  IpFields back(std::uint32_t destination = 0) const {
    return {.source = plan.destinations[destination].address,
            .destination = plan.destinations[destination].source,
            .ttl = 57,
            .identification = 9};
  }
  // A TCP segment from the target to the port of that probe.
  void tcp(std::uint64_t number, std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgement,
           std::int64_t at, std::uint32_t timestamp = 0) {
    std::array<std::uint8_t, 12> options = {1, 1, 8, 10};
    for (int i = 0; i < 4; ++i)
      options[static_cast<std::size_t>(4 + i)] = static_cast<std::uint8_t>(timestamp >> (24 - 8 * i));
    TcpFields segment{
        plan.destinations[to[number]].port, fields[number].source_port, sequence, acknowledgement, flags, 1, {}};
    if (timestamp != 0) segment.options = options;
    see(builder.tcp(back(to[number]), segment, {}), at, FrameOrigin::arrival);
  }
  void syn_ack(std::uint64_t number, std::int64_t at, std::uint32_t timestamp = 0) {
    tcp(number, 0x12, 4711, fields[number].token + 1, at, timestamp);
  }
  // A bare ACK to the port of `number` that acknowledges the probe `acknowledged`.
  void challenge(std::uint64_t number, std::uint64_t acknowledged, std::int64_t at) {
    tcp(number, 0x10, 4712, fields[acknowledged].token + 1, at);
  }
  void reset_leaves(std::uint64_t number, std::int64_t at) {
    see(builder.tcp(
            ip_fields(plan, plan.destinations[to[number]], 7),
            {fields[number].source_port, plan.destinations[to[number]].port, fields[number].token + 1, 0, 4, 0, {}},
            {}),
        at, FrameOrigin::departure);
  }
  // An ICMP error about that probe.
  void icmp_error(std::uint64_t number, const wire::IpAddress& from, std::uint8_t type, std::uint8_t code,
                  std::int64_t at) {
    const auto quoted = packet_of(number);
    IpFields ip = back(to[number]);
    ip.source = from;
    auto packet = builder.echo(ip, {0, 0}, quoted);
    const std::size_t icmp = packet.size() - quoted.size() - wire::kIcmpHeaderBytes;
    packet[icmp] = type;
    packet[icmp + 1] = code;
    see(packet, at, FrameOrigin::arrival);
  }
  void see(std::span<const std::uint8_t> packet, std::int64_t at, FrameOrigin origin) {
    CapturedFrame frame;
    frame.time_ns = kWall + at;
    frame.link_type = wire::LinkType::raw_ip;
    frame.origin = origin;
    frame.bytes = packet;
    frame.wire_length = static_cast<std::uint32_t>(packet.size());
    matcher.on_frame(frame);
  }

  void settle(std::int64_t at, std::uint64_t dropped = 0) { matcher.settle(kWall + at, dropped); }
  void finish(std::int64_t at, std::uint64_t dropped = 0) { matcher.finish(kWall + at, dropped); }
  // The outcome of a probe; fails if there is none or more than one.
  Outcome outcome(std::uint64_t number) const {
    std::vector<Outcome> found;
    for (const Outcome& o : log.outcomes) {
      if (o.number == number) found.push_back(o);
    }
    REQUIRE(found.size() == 1);
    return found[0];
  }
  bool has_outcome(std::uint64_t number) const {
    return std::any_of(log.outcomes.begin(), log.outcomes.end(), [&](const Outcome& o) { return o.number == number; });
  }

  ProbePlan plan;
  const ProtocolRow& row;
  FlightTable table;
  sim::OutcomeLog log;
  Matcher matcher;
  PacketBuilder builder;
  std::vector<ProbeFields> fields;  // of each probe written
  std::vector<std::uint32_t> to;    // its destination
};

}  // namespace volley::probe

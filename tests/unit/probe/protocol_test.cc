// Tests of what the protocols recognise: probes, answers, resets and errors.
#include "volley/probe/protocol.h"

#include <catch2/catch.hpp>
#include <string>

#include "probe_kinds.h"
#include "volley/probe/payload.h"
#include "volley/wire/decode.h"

using namespace volley;
using namespace volley::probe;
using sample::all_kinds;
using sample::random_fields;
using sample::to_family;

namespace {

// Recognises what a frame of these fields is.
struct Recogniser {
  explicit Recogniser(const PlanRequest& request)
      : plan(sample::plan(request)), row(protocol_row(plan.protocol)), endpoints(plan) {}

  Sighting sight(std::span<const std::uint8_t> bytes) const {
    wire::DecodedPacket packet;
    REQUIRE(wire::decode_ip(bytes, packet) == wire::DecodeStatus::ok);
    return row.recognise(plan, endpoints, packet);
  }
  IpFields back() const {
    const Destination& to = plan.destinations[0];
    return {.source = to.address, .destination = to.source, .ttl = 60, .identification = 99};
  }
  std::uint16_t port() const { return plan.source_ports.front(); }

  ProbePlan plan;
  const ProtocolRow& row;
  Endpoints endpoints;
  PacketBuilder builder;
};

}  // namespace

TEST_CASE("every probe recognises itself leaving, and no other's token", "[protocol]") {
  Generator generator(7);
  for (PlanRequest request : all_kinds()) {
    for (const bool is_v6 : {false, true}) {
      request.destinations = {to_family(request.protocol, is_v6)};
      Recogniser r(request);
      ProbeFields fields = random_fields(generator);
      fields.source_port = request.protocol == Protocol::icmp ? std::uint16_t{0} : r.port();
      CAPTURE(r.row.name, is_v6, r.plan.payload_bytes, static_cast<int>(r.plan.tcp_flags));
      const Sighting seen = r.sight(r.row.build(r.builder, r.plan, r.plan.destinations[0], fields));
      CHECK(seen.kind == SightingKind::probe);
      CHECK(seen.key == r.row.key(0, fields));
      CHECK(seen.evidence.fits(fields.token));
      if (seen.evidence.mask != 0) CHECK_FALSE(seen.evidence.fits(fields.token ^ 0x01010801U));
    }
  }
}

TEST_CASE("what answers a TCP probe", "[protocol]") {
  using namespace wire::tcp_flag;
  PlanRequest request = sample::request();
  request.payload_bytes_given = true;
  request.payload_bytes = 10;
  Recogniser r(request);
  const auto answer = [&](std::uint8_t flags, std::uint32_t sequence, std::uint32_t acknowledgement) {
    return r.sight(r.builder.tcp(r.back(), {443, r.port(), sequence, acknowledgement, flags, 100, {}}, {}));
  };
  constexpr std::uint32_t kToken = 0xfffffffe;  // acknowledgements wrap
  SECTION("a SYN-ACK acknowledges the SYN, and as much of the payload as it likes") {
    for (std::uint32_t over = 0; over <= 10; ++over) {
      const Sighting seen = answer(kSyn | kAck, 5, kToken + 1 + over);
      CHECK(seen.kind == SightingKind::reply);
      CHECK(seen.reply == ReplyKind::syn_ack);
      CHECK(seen.key == FlowKey{0, r.port()});
      CHECK(seen.evidence.fits(kToken));
    }
    CHECK_FALSE(answer(kSyn | kAck, 5, kToken).evidence.fits(kToken));
    CHECK_FALSE(answer(kSyn | kAck, 5, kToken + 12).evidence.fits(kToken));
  }
  SECTION("resets") {
    CHECK(answer(kRst | kAck, 0, kToken + 1).reply == ReplyKind::rst);
    CHECK(answer(kRst | kAck, 0, kToken + 1).evidence.fits(kToken));
    CHECK(answer(kRst, kToken, 0).evidence.is_refuted);  // nothing that a SYN would be refused with
  }
  SECTION("a bare ACK is told apart, data is not") {
    CHECK(answer(kAck, 5, kToken + 1).kind == SightingKind::acknowledgement);
    CHECK(answer(kAck | kPsh, 5, kToken + 1).kind == SightingKind::acknowledgement);
    CHECK(answer(kFin | kAck, 5, kToken + 1).reply == ReplyKind::other_tcp);
  }
  SECTION("our kernel's reset of a SYN-ACK") {
    const auto out = ip_fields(r.plan, r.plan.destinations[0], 1);
    const Sighting seen = r.sight(r.builder.tcp(out, {r.port(), 443, kToken + 1, 0, kRst, 0, {}}, {}));
    CHECK(seen.kind == SightingKind::reset);
    CHECK(seen.evidence.fits(kToken));
  }
  SECTION("other flows are not ours") {
    CHECK(r.sight(r.builder.tcp(r.back(), {444, r.port(), 0, kToken + 1, 0x12, 1, {}}, {})).kind == SightingKind::none);
    CHECK(r.sight(r.builder.tcp(r.back(), {443, 22, 0, kToken + 1, 0x12, 1, {}}, {})).kind == SightingKind::none);
    IpFields other = r.back();
    other.source = sample::address("10.0.3.8");
    CHECK(r.sight(r.builder.tcp(other, {443, r.port(), 0, kToken + 1, 0x12, 1, {}}, {})).kind == SightingKind::none);
  }
}

TEST_CASE("a reset that answers an ACK probe carries our acknowledgement number", "[protocol]") {
  PlanRequest request = sample::request();
  request.tcp_flags = wire::tcp_flag::kAck;
  Recogniser r(request);
  const Sighting seen = r.sight(r.builder.tcp(r.back(), {443, r.port(), 1234, 0, wire::tcp_flag::kRst, 0, {}}, {}));
  CHECK(seen.kind == SightingKind::reply);
  CHECK(seen.reply == ReplyKind::rst);
  CHECK(seen.evidence.fits(1234));
  CHECK_FALSE(seen.evidence.fits(1235));
  CHECK_FALSE(opens_half(r.plan));
}

namespace {

// An ICMP or ICMPv6 error around a packet of ours. libnet builds no such thing
// with a body of our choice for both families, so the bytes are put together here.
std::vector<std::uint8_t> icmp_error(const IpFields& ip, std::uint8_t type, std::uint8_t code,
                                     std::span<const std::uint8_t> quoted, std::size_t quoted_bytes) {
  PacketBuilder builder;
  std::vector<std::uint8_t> body(quoted.begin(), quoted.begin() + static_cast<std::ptrdiff_t>(quoted_bytes));
  std::vector<std::uint8_t> packet = builder.echo(ip, {0, 0}, body);
  const std::size_t icmp = packet.size() - body.size() - 8;
  packet[icmp] = type;
  packet[icmp + 1] = code;
  return packet;  // its checksum is not looked at
}

}  // namespace

TEST_CASE("ICMP errors are matched by what they quote", "[protocol]") {
  for (const bool is_v6 : {false, true}) {
    for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
      PlanRequest request = sample::request(protocol);
      request.destinations = {to_family(protocol, is_v6)};
      Recogniser r(request);
      CAPTURE(r.row.name, is_v6);
      ProbeFields fields{.token = 0x12345678, .source_port = 0, .echo_identifier = 7, .echo_sequence = 8};
      if (protocol != Protocol::icmp) fields.source_port = r.port();
      const auto probe = r.row.build(r.builder, r.plan, r.plan.destinations[0], fields);
      IpFields router = r.back();
      router.source = sample::address(is_v6 ? "fd00::1" : "10.0.3.1");
      const auto type = static_cast<std::uint8_t>(is_v6 ? 3 : 11);
      for (const std::size_t quoted : {(is_v6 ? 48 : 28) + std::size_t{0}, probe.size()}) {
        const Sighting seen = r.sight(icmp_error(router, type, 0, probe, quoted));
        CHECK(seen.kind == SightingKind::error);
        CHECK(seen.icmp_type == type);
        CHECK(seen.key == r.row.key(0, fields));
        CHECK(seen.evidence.fits(0x12345678));
        if (!is_v6 || quoted == probe.size() || protocol == Protocol::tcp) {
          CHECK_FALSE(seen.evidence.fits(0x12345679));
        }
      }
    }
  }
}

TEST_CASE("port unreachable counts only from the target, and for UDP", "[protocol]") {
  for (const bool is_v6 : {false, true}) {
    PlanRequest request = sample::request(Protocol::udp);
    request.destinations = {to_family(Protocol::udp, is_v6)};
    Recogniser r(request);
    const auto probe =
        udp_row().build(r.builder, r.plan, r.plan.destinations[0], {.token = 5, .source_port = r.port()});
    const auto type = static_cast<std::uint8_t>(is_v6 ? 1 : 3);
    const auto code = static_cast<std::uint8_t>(is_v6 ? 4 : 3);
    Sighting seen = r.sight(icmp_error(r.back(), type, code, probe, probe.size()));
    CHECK(seen.kind == SightingKind::reply);
    CHECK(seen.reply == ReplyKind::port_unreachable);
    IpFields router = r.back();
    router.source = sample::address(is_v6 ? "fd00::1" : "10.0.3.1");
    seen = r.sight(icmp_error(router, type, code, probe, probe.size()));
    CHECK(seen.kind == SightingKind::error);
    Recogniser tcp(sample::request());
    const auto syn =
        tcp_row().build(tcp.builder, tcp.plan, tcp.plan.destinations[0], {.token = 5, .source_port = tcp.port()});
    CHECK(tcp.sight(icmp_error(tcp.back(), 3, 3, syn, 28)).kind == SightingKind::error);
  }
}

TEST_CASE("redirects and source quench say nothing about a probe", "[protocol]") {
  Recogniser r(sample::request());
  const auto syn = tcp_row().build(r.builder, r.plan, r.plan.destinations[0], {.token = 5, .source_port = r.port()});
  CHECK(r.sight(icmp_error(r.back(), 5, 1, syn, 28)).kind == SightingKind::none);
  CHECK(r.sight(icmp_error(r.back(), 4, 0, syn, 28)).kind == SightingKind::none);
}

TEST_CASE("UDP answers by payload kind", "[protocol]") {
  const auto answer = [](Recogniser& r, std::span<const std::uint8_t> payload) {
    return r.sight(r.builder.udp(r.back(), {443, r.port()}, payload)).evidence;
  };
  PlanRequest request = sample::request(Protocol::udp);
  std::vector<std::uint8_t> payload;
  SECTION("sized: an echo must be of this probe, other words are known by their flow") {
    Recogniser r(request);
    payload = make_payload(UdpPayload::sized, 16, {});
    put_token(UdpPayload::sized, payload, 0xcafe);
    CHECK(answer(r, payload).fits(0xcafe));
    CHECK_FALSE(answer(r, payload).fits(0xcaff));
    payload[9] ^= 1U;
    CHECK(answer(r, payload).is_flow_alone());
    CHECK(answer(r, {}).is_flow_alone());
  }
  SECTION("echo") {
    request.udp_payload = UdpPayload::echo;
    Recogniser r(request);
    payload = make_payload(UdpPayload::echo, 16, {});
    put_token(UdpPayload::echo, payload, 0xcafe);
    CHECK(answer(r, payload).fits(0xcafe));
    CHECK(answer(r, {}).is_refuted);
  }
  SECTION("dns: id and response bit") {
    request.udp_payload = UdpPayload::dns;
    Recogniser r(request);
    payload = make_payload(UdpPayload::dns, kDnsQueryBytes, {});
    CHECK(payload.size() == kDnsQueryBytes);
    put_token(UdpPayload::dns, payload, 0x9999cafe);
    CHECK(answer(r, payload).is_refuted);  // a query that comes back is no answer
    payload[2] |= 0x80U;
    CHECK(answer(r, payload).fits(0x1111cafe));
    CHECK_FALSE(answer(r, payload).fits(0x1111caff));
  }
  SECTION("ntp: the origin timestamp is our transmit timestamp, both halves") {
    request.udp_payload = UdpPayload::ntp;
    Recogniser r(request);
    const auto probe =
        udp_row().build(r.builder, r.plan, r.plan.destinations[0], {.token = 0xcafe, .source_port = r.port()});
    payload.assign(48, 0);
    payload[0] = 0x24;  // version 4, server
    std::copy_n(probe.end() - 8, 8, payload.begin() + 24);
    CHECK(answer(r, payload).fits(0xcafe));
    payload[31] ^= 1U;
    CHECK(answer(r, payload).is_refuted);
    CHECK(answer(r, std::span(payload).first(20)).is_refuted);
  }
  SECTION("custom: the flow alone") {
    request.udp_payload = UdpPayload::custom;
    request.custom_payload = {1, 2, 3};
    Recogniser r(request);
    CHECK(answer(r, {}).is_flow_alone());
  }
}

TEST_CASE("ICMP echo: id, sequence and payload", "[protocol]") {
  for (const bool is_v6 : {false, true}) {
    PlanRequest request = sample::request(Protocol::icmp);
    request.destinations = {to_family(Protocol::icmp, is_v6)};
    Recogniser r(request);
    const ProbeFields fields{.token = 77, .echo_identifier = 0x1234, .echo_sequence = 0x5678};
    auto reply = icmp_row().build(r.builder, r.plan, r.plan.destinations[0], fields);
    const std::size_t address = is_v6 ? 8 : 12;
    const std::size_t bytes = is_v6 ? 16 : 4;
    std::swap_ranges(reply.begin() + static_cast<std::ptrdiff_t>(address),
                     reply.begin() + static_cast<std::ptrdiff_t>(address + bytes),
                     reply.begin() + static_cast<std::ptrdiff_t>(address + bytes));
    reply[is_v6 ? 40 : 20] = is_v6 ? 129 : 0;
    const Sighting seen = r.sight(reply);
    CHECK(seen.kind == SightingKind::reply);
    CHECK(seen.reply == ReplyKind::echo_reply);
    CHECK(seen.key == FlowKey{0, 0x12345678});
    CHECK(seen.evidence.fits(77));
    CHECK_FALSE(seen.evidence.fits(78));
  }
}

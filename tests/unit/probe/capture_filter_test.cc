// Tests of the capture filters: they compile, and let through what they must.
#include "volley/probe/capture_filter.h"

#include <pcap/pcap.h>

#include <catch2/catch.hpp>
#include <memory>

#include "sample_plan.h"
#include "volley/probe/protocol.h"

using namespace volley;
using namespace volley::probe;

namespace {

struct Program {
  explicit Program(const std::string& text) {
    pcap_t* handle = pcap_open_dead(DLT_RAW, 65535);
    INFO(text);
    REQUIRE(pcap_compile(handle, &code, text.c_str(), 1, PCAP_NETMASK_UNKNOWN) == 0);
    pcap_close(handle);
  }
  ~Program() { pcap_freecode(&code); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool passes(std::span<const std::uint8_t> packet) const {
    pcap_pkthdr header{};
    header.caplen = header.len = static_cast<bpf_u_int32>(packet.size());
    return pcap_offline_filter(&code, &header, packet.data()) != 0;
  }
  bpf_program code{};
};

IpFields reversed(IpFields ip) {
  std::swap(ip.source, ip.destination);
  return ip;
}

}  // namespace

TEST_CASE("filters pass probes and answers, and nothing else", "[capture_filter]") {
  PacketBuilder builder;
  for (const bool is_v6 : {false, true}) {
    PlanRequest request = sample::request();
    request.destinations = {is_v6 ? sample::destination("fd00::7", 443, "fd00::9") : sample::destination()};
    const ProbePlan plan = sample::plan(request);
    const CaptureFilters filters = tcp_row().filters(plan);
    const Program departures(filters.departures);
    const Program arrivals(filters.arrivals);
    const IpFields out = ip_fields(plan, plan.destinations[0], 1);
    const IpFields back = reversed(out);
    const std::uint16_t port = plan.source_ports.front();
    const auto syn = builder.tcp(out, {port, 443, 1, 0, 2, 1, {}}, {});
    CHECK(departures.passes(syn));
    CHECK_FALSE(arrivals.passes(syn));
    const auto syn_ack = builder.tcp(back, {443, port, 1, 2, 0x12, 1, {}}, {});
    CHECK(arrivals.passes(syn_ack));
    CHECK_FALSE(departures.passes(syn_ack));
    CHECK_FALSE(arrivals.passes(builder.tcp(back, {444, port, 1, 2, 0x12, 1, {}}, {})));
    CHECK_FALSE(arrivals.passes(builder.tcp(back, {443, 22, 1, 2, 0x12, 1, {}}, {})));
    CHECK_FALSE(departures.passes(builder.tcp(out, {22, 443, 1, 2, 2, 1, {}}, {})));
    int resets = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint16_t from = plan.source_ports[i];
      const bool passes = departures.passes(builder.tcp(out, {from, 443, 1, 0, 4, 1, {}}, {}));
      CHECK(passes == is_reset_sampled(plan, from));
      resets += passes ? 1 : 0;
    }
    CHECK(resets == 1);
    // An ICMP error from anywhere to us; an echo reply is none of ours here.
    auto error = builder.echo(back, {1, 2}, {});
    error[is_v6 ? 40 : 20] = is_v6 ? 3 : 11;
    CHECK(arrivals.passes(error));
    error[is_v6 ? 40 : 20] = is_v6 ? 129 : 0;
    CHECK_FALSE(arrivals.passes(error));
  }
}

TEST_CASE("filters of UDP and ICMP", "[capture_filter]") {
  PacketBuilder builder;
  ProbePlan plan = sample::plan(sample::request(Protocol::udp));
  const IpFields out = ip_fields(plan, plan.destinations[0], 1);
  const std::uint16_t port = plan.source_ports.back();
  CHECK(Program(udp_row().filters(plan).departures).passes(builder.udp(out, {port, 443}, {})));
  CHECK(Program(udp_row().filters(plan).arrivals).passes(builder.udp(reversed(out), {443, port}, {})));
  plan = sample::plan(sample::request(Protocol::icmp));
  auto echo = builder.echo(out, {1, 2}, {});
  CHECK(Program(icmp_row().filters(plan).departures).passes(echo));
  CHECK_FALSE(Program(icmp_row().filters(plan).arrivals).passes(echo));
  echo = builder.echo(reversed(out), {1, 2}, {});
  echo[20] = 0;
  CHECK(Program(icmp_row().filters(plan).arrivals).passes(echo));
}

TEST_CASE("filters of many targets of both families stay short", "[capture_filter]") {
  PlanRequest request = sample::request();
  request.destinations.clear();
  for (int i = 0; i < 8000; ++i) {
    request.destinations.push_back(sample::destination(
        "10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250), static_cast<std::uint16_t>(1 + i % 40)));
  }
  request.destinations.push_back(sample::destination("fd00::7", 80, "fd00::9"));
  for (const Protocol protocol : {Protocol::tcp, Protocol::udp, Protocol::icmp}) {
    request.protocol = protocol;
    if (protocol == Protocol::icmp) {
      for (Destination& to : request.destinations) to.port = 0;
    }
    const ProbePlan plan = sample::plan(request);
    const CaptureFilters filters = protocol_row(protocol).filters(plan);
    CHECK(filters.departures.size() < 600);
    CHECK(filters.arrivals.size() < 600);
    for (const std::string& text : {filters.departures, filters.arrivals}) {
      CHECK(text.find("bound") == std::string::npos);  // libpcap loses first frames by it
      CHECK(Program(text).code.bf_len < 120);
    }
    CHECK(Program("(" + filters.departures + ") or (" + filters.arrivals + ")").code.bf_len < 240);
  }
}

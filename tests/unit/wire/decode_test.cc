// Tests of wire/decode: golden frames field by field, cut short everywhere, and under random damage.
#include "volley/wire/decode.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "golden_frames.h"
#include "volley/wire/byte_order.h"
#include "volley/wire/ipv4.h"

using namespace volley::wire;

namespace {

// A frame and what decoding it gave; the spans need the bytes.
struct Decoded {
  std::vector<std::uint8_t> bytes;
  DecodedPacket packet;
  DecodeStatus status = DecodeStatus::ok;
};

std::unique_ptr<Decoded> decoded(std::string_view name) {
  const golden::Frame& frame = golden::frame(name);
  auto result = std::make_unique<Decoded>();
  result->bytes = frame.bytes();
  result->status = decode(frame.link_type, result->bytes, result->packet);
  INFO(name << ": " << to_string(result->status));
  CHECK(result->status == frame.status);
  return result;
}

std::string text(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

void check_addresses(const IpInfo& ip, std::string_view source, std::string_view destination) {
  CHECK(to_string(ip.source) == source);
  CHECK(to_string(ip.destination) == destination);
}

void check_syn(const DecodedPacket& packet) {
  REQUIRE(packet.tcp);
  CHECK(packet.tcp->source_port == 40211);
  CHECK(packet.tcp->destination_port == 443);
  CHECK(packet.tcp->sequence == 3735928559U);
  CHECK(packet.tcp->acknowledgement == 0);
  CHECK(packet.tcp->flags == tcp_flag::kSyn);
  CHECK(packet.tcp->window == 64240);
  CHECK(packet.tcp->options.mss == 1460);
  CHECK(packet.tcp->options.window_scale == 7);
  CHECK(packet.tcp->options.sack_permitted);
  CHECK(packet.tcp->options.timestamp_value == 287454020U);
  CHECK(packet.tcp->options.timestamp_echo == 0U);
  CHECK(packet.tcp->payload.empty());
  CHECK_FALSE(packet.udp);
  CHECK_FALSE(packet.icmp);
  CHECK_FALSE(packet.quoted);
  CHECK_FALSE(is_icmp_error(packet));
}

// Every span of a packet must lie inside the bytes it was decoded from.
bool is_inside(std::span<const std::uint8_t> part, std::span<const std::uint8_t> whole) {
  const std::less_equal<> not_after;
  return part.empty() ||
         (not_after(whole.data(), part.data()) && not_after(part.data() + part.size(), whole.data() + whole.size()));
}

bool spans_inside(const DecodedPacket& packet, std::span<const std::uint8_t> whole) {
  bool inside = true;
  const auto add = [&](const auto& header) { inside = inside && (!header || is_inside(header->payload, whole)); };
  add(packet.tcp);
  add(packet.udp);
  add(packet.icmp);
  if (packet.quoted) {
    add(packet.quoted->tcp);
    add(packet.quoted->udp);
    add(packet.quoted->icmp);
  }
  return inside;
}

int transports(const auto& packet) {
  return (packet.tcp ? 1 : 0) + (packet.udp ? 1 : 0) + (packet.icmp ? 1 : 0);
}

constexpr LinkType kLinkTypes[] = {LinkType::ethernet, LinkType::linux_cooked_v1, LinkType::linux_cooked_v2,
                                   LinkType::raw_ip,   LinkType::null_loopback,   LinkType::loop};

}  // namespace

TEST_CASE("every golden frame has its status", "[wire][decode]") {
  for (const golden::Frame& frame : golden::kFrames) {
    const auto result = decoded(frame.name);
    INFO(frame.name);
    CHECK(spans_inside(result->packet, result->bytes));
    CHECK((transports(result->packet) == 1) ==
          (frame.status == DecodeStatus::ok || frame.status == DecodeStatus::bad_quote));
  }
}

TEST_CASE("a SYN behind every link header", "[wire][decode]") {
  for (const auto* name : {"eth_syn", "sll1_vlan_incoming_syn", "null_little_endian_syn", "loop_syn"}) {
    const auto result = decoded(name);
    INFO(name);
    check_syn(result->packet);
    const IpInfo& ip = result->packet.ip;
    check_addresses(ip, "10.0.3.9", "10.0.3.7");
    CHECK(ip.protocol == 6);
    CHECK(ip.ttl == 64);
    CHECK(ip.identification == 4660);
    CHECK(ip.total_length == 60);
    CHECK(ip.dont_fragment);
    CHECK_FALSE(ip.more_fragments);
  }
  const auto syn6 = decoded("sll2_outgoing_syn6");
  check_syn(syn6->packet);
  check_addresses(syn6->packet.ip, "2001:db8::9", "2001:db8::7");
  CHECK(syn6->packet.ip.total_length == 80);
}

TEST_CASE("what link headers tell", "[wire][decode]") {
  CHECK(decoded("eth_syn")->packet.link.direction == FrameDirection::unknown);
  CHECK(decoded("eth_syn")->packet.link.vlan_id == 0);
  CHECK(decoded("eth_vlan_syn_ack")->packet.link.vlan_id == 42);
  CHECK(decoded("eth_qinq_rst_padded")->packet.link.vlan_id == 100);
  CHECK(decoded("sll1_outgoing_udp")->packet.link.direction == FrameDirection::outgoing);
  CHECK(decoded("sll1_vlan_incoming_syn")->packet.link.direction == FrameDirection::incoming);
  CHECK(decoded("sll1_vlan_incoming_syn")->packet.link.vlan_id == 5);
  CHECK(decoded("sll2_incoming_udp6")->packet.link.direction == FrameDirection::incoming);
  CHECK(decoded("sll2_incoming_udp6")->packet.link.interface_index == 3);
  CHECK(decoded("sll2_outgoing_syn6")->packet.link.direction == FrameDirection::outgoing);
  CHECK(decoded("sll2_outgoing_syn6")->packet.link.interface_index == 70000);
}

TEST_CASE("TCP answers", "[wire][decode]") {
  const auto syn_ack = decoded("eth_vlan_syn_ack");
  REQUIRE(syn_ack->packet.tcp);
  CHECK(syn_ack->packet.tcp->flags == (tcp_flag::kSyn | tcp_flag::kAck));
  CHECK(syn_ack->packet.tcp->sequence == 16909060);
  CHECK(syn_ack->packet.tcp->acknowledgement == 3735928560U);
  CHECK(syn_ack->packet.tcp->options.timestamp_value == 1432778632U);
  CHECK(syn_ack->packet.tcp->options.timestamp_echo == 287454020U);

  const auto rst = decoded("eth_qinq_rst_padded");
  REQUIRE(rst->packet.tcp);
  CHECK(rst->packet.tcp->flags == (tcp_flag::kRst | tcp_flag::kAck));
  CHECK(rst->packet.tcp->payload.empty());  // the link's padding is not payload
  CHECK_FALSE(rst->packet.tcp->options.mss);

  const auto challenge = decoded("eth_challenge_ack");
  REQUIRE(challenge->packet.tcp);
  CHECK(challenge->packet.tcp->flags == tcp_flag::kAck);
  CHECK(challenge->packet.tcp->acknowledgement == 3405705229U);
  CHECK(challenge->packet.tcp->options.timestamp_value == 1432778649U);

  const auto offloaded = decoded("eth_tso_total_length_zero");
  REQUIRE(offloaded->packet.tcp);
  CHECK(offloaded->packet.ip.total_length == 0);
  CHECK(offloaded->packet.tcp->payload.size() == 32);
}

TEST_CASE("UDP", "[wire][decode]") {
  const auto padded = decoded("eth_udp_padded");
  REQUIRE(padded->packet.udp);
  CHECK(text(padded->packet.udp->payload) == "hi");
  CHECK(padded->packet.udp->length == 10);
  CHECK(padded->packet.ip.traffic_class == 0xb8);

  const auto options = decoded("eth_ipv4_options_udp");
  REQUIRE(options->packet.udp);
  CHECK(options->packet.udp->source_port == 33017);
  CHECK(options->packet.udp->destination_port == 7);
  CHECK(text(options->packet.udp->payload) == "volley");

  const auto fragment = decoded("eth_first_fragment_udp");
  REQUIRE(fragment->packet.udp);
  CHECK(fragment->packet.ip.more_fragments);
  CHECK(fragment->packet.udp->length == 2008);
  CHECK(fragment->packet.udp->payload.size() == 24);

  const auto udp6 = decoded("sll2_incoming_udp6");
  REQUIRE(udp6->packet.udp);
  CHECK(udp6->packet.ip.traffic_class == 0x28);
  CHECK(udp6->packet.ip.total_length == 54);
  CHECK(udp6->packet.ip.identification == 0);
  CHECK(udp6->packet.udp->checksum == load_be16(udp6->bytes, 20 + 40 + 6));
}

TEST_CASE("ICMP echo of both families", "[wire][decode]") {
  const auto request = decoded("raw_echo_request");
  REQUIRE(request->packet.icmp);
  CHECK(request->packet.icmp->type == 8);
  CHECK(request->packet.icmp->identifier == 7);
  CHECK(request->packet.icmp->sequence == 258);
  CHECK(text(request->packet.icmp->payload) == "volley-payload");
  CHECK_FALSE(is_icmp_error(request->packet));
  const auto reply = decoded("raw_echo_reply6");
  REQUIRE(reply->packet.icmp);
  CHECK(reply->packet.icmp->type == 129);
  CHECK(reply->packet.icmp->identifier == 7);
  CHECK(reply->packet.icmp->sequence == 258);
  CHECK(text(reply->packet.icmp->payload) == "volley-payload");
  const auto darwin = decoded("null_big_endian_darwin_echo6");
  REQUIRE(darwin->packet.icmp);
  CHECK(darwin->packet.icmp->type == 128);
}

TEST_CASE("fragments and IPv6 extension headers", "[wire][decode]") {
  const auto chain = decoded("eth_ipv6_extensions_syn");
  CHECK(chain->packet.ip.protocol == 6);
  check_syn(chain->packet);
  const auto first = decoded("eth_ipv6_first_fragment_udp");
  REQUIRE(first->packet.udp);
  CHECK(first->packet.ip.more_fragments);
  CHECK(first->packet.ip.fragment_offset == 0);
  for (const auto* name : {"eth_later_fragment", "eth_ipv6_later_fragment"}) {
    const auto later = decoded(name);
    INFO(name);
    CHECK(later->packet.ip.fragment_offset == 1480);
    CHECK(later->packet.ip.protocol == 17);
    CHECK_FALSE(is_malformed(later->status));
  }
}

TEST_CASE("quotes of IPv4", "[wire][decode]") {
  for (const auto* name : {"eth_ttl_exceeded_8_bytes", "eth_ttl_exceeded_mpls", "eth_host_unreachable_whole_syn",
                           "eth_fragmentation_needed", "eth_quote_ihl_15", "eth_quote_length_altered"}) {
    const auto error = decoded(name);
    INFO(name);
    CHECK(is_icmp_error(error->packet));
    CHECK(to_string(error->packet.ip.source) == "10.9.9.1");
    REQUIRE(error->packet.quoted);
    check_addresses(error->packet.quoted->ip, "10.0.3.9", "10.0.3.7");
    REQUIRE(error->packet.quoted->tcp);
    CHECK(error->packet.quoted->tcp->source_port == 40211);
    CHECK(error->packet.quoted->tcp->destination_port == 443);
    CHECK(error->packet.quoted->tcp->sequence == 3735928559U);
    const bool whole = std::string_view(name) == "eth_host_unreachable_whole_syn";
    CHECK(error->packet.quoted->tcp->flags == (whole ? tcp_flag::kSyn : 0));
    CHECK(error->packet.quoted->tcp->options.mss.has_value() == whole);
  }
  CHECK(decoded("eth_ttl_exceeded_8_bytes")->packet.quoted->ip.ttl == 1);
  CHECK((decoded("eth_fragmentation_needed")->packet.icmp->rest_of_header & 0xffffU) == 1400);

  const auto port = decoded("eth_port_unreachable_udp");
  REQUIRE(port->packet.quoted);
  REQUIRE(port->packet.quoted->udp);
  CHECK(port->packet.quoted->udp->source_port == 33017);
  CHECK(port->packet.quoted->udp->destination_port == 33434);
  CHECK(port->packet.quoted->udp->length == 14);
  CHECK(port->packet.quoted->ip.identification == 4660);
  CHECK(text(port->packet.quoted->udp->payload) == "volley");

  const auto echo = decoded("eth_admin_prohibited_echo");
  REQUIRE(echo->packet.quoted);
  REQUIRE(echo->packet.quoted->icmp);
  CHECK(echo->packet.quoted->icmp->identifier == 7);
  CHECK(echo->packet.quoted->icmp->sequence == 258);

  const auto later = decoded("eth_quote_later_fragment");
  REQUIRE(later->packet.quoted);
  CHECK(transports(*later->packet.quoted) == 0);
  CHECK(later->packet.quoted->ip.fragment_offset == 1480);
}

TEST_CASE("quotes of IPv6", "[wire][decode]") {
  const auto port = decoded("eth_port_unreachable_udp6");
  CHECK(is_icmp_error(port->packet));
  REQUIRE(port->packet.quoted);
  REQUIRE(port->packet.quoted->udp);
  CHECK(port->packet.quoted->udp->source_port == 33017);
  const auto big = decoded("eth_packet_too_big_syn6");
  CHECK(big->packet.icmp->rest_of_header == 1280);
  REQUIRE(big->packet.quoted);
  REQUIRE(big->packet.quoted->tcp);
  CHECK(big->packet.quoted->tcp->flags == tcp_flag::kSyn);
  const auto chain = decoded("eth_ttl_exceeded6_extensions");
  REQUIRE(chain->packet.quoted);
  REQUIRE(chain->packet.quoted->udp);
  CHECK(chain->packet.quoted->ip.protocol == 17);
  CHECK(chain->packet.quoted->udp->destination_port == 33434);
}

TEST_CASE("a bad quote leaves the message readable", "[wire][decode]") {
  for (const auto* name : {"eth_quote_cut_short", "eth_quote_ihl_15_cut_short", "eth_quote_version_0",
                           "eth_quote_empty", "eth_quote_length_field_overruns"}) {
    const auto error = decoded(name);
    INFO(name);
    CHECK(is_malformed(error->status));
    CHECK(is_icmp_error(error->packet));
    CHECK(to_string(error->packet.ip.source) == "10.9.9.1");
  }
  // Of the first the IP header could be read, and no transport header is made up.
  const auto cut = decoded("eth_quote_cut_short");
  REQUIRE(cut->packet.quoted);
  CHECK(transports(*cut->packet.quoted) == 0);
  CHECK_FALSE(decoded("eth_quote_version_0")->packet.quoted);
}

TEST_CASE("a frame cut anywhere is ok only with all its headers", "[wire][decode]") {
  for (const golden::Frame& frame : golden::kFrames) {
    const auto whole = frame.bytes();
    for (std::size_t size = 0; size <= whole.size(); ++size) {
      // A heap block of exactly this size: a read behind it is seen by the sanitizer.
      const std::vector<std::uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      DecodedPacket packet;
      const DecodeStatus status = decode(frame.link_type, cut, packet);
      INFO(frame.name << " cut to " << size << ": " << to_string(status));
      const bool complete = frame.status == DecodeStatus::ok && size >= frame.header_bytes;
      REQUIRE((status == DecodeStatus::ok) == complete);
      REQUIRE(spans_inside(packet, cut));
    }
  }
}

TEST_CASE("a packet that is used again keeps nothing", "[wire][decode]") {
  DecodedPacket packet;
  const auto error = golden::frame("eth_ttl_exceeded_8_bytes").bytes();
  REQUIRE(decode(LinkType::ethernet, error, packet) == DecodeStatus::ok);
  const auto tagged = golden::frame("eth_vlan_syn_ack").bytes();
  REQUIRE(decode(LinkType::ethernet, tagged, packet) == DecodeStatus::ok);
  CHECK(transports(packet) == 1);
  CHECK_FALSE(packet.quoted);
  REQUIRE(decode(LinkType::ethernet, golden::frame("eth_arp").bytes(), packet) == DecodeStatus::not_ip);
  CHECK(transports(packet) == 0);
  CHECK(packet.link.vlan_id == 0);
  CHECK(packet.ip.source == IpAddress{});
}

TEST_CASE("decode_ip reads what decode finds behind the link header", "[wire][decode]") {
  const auto bytes = golden::frame("eth_syn").bytes();
  DecodedPacket packet;
  CHECK(decode_ip(std::span(bytes).subspan(14), packet) == DecodeStatus::ok);
  check_syn(packet);
  CHECK(decode_ip({}, packet) == DecodeStatus::truncated_ip);
}

TEST_CASE("read_link finds the network packet behind every link header", "[wire][decode]") {
  // The frames of one SYN differ in their link headers alone.
  for (const auto* name : {"eth_syn", "sll1_vlan_incoming_syn", "null_little_endian_syn", "loop_syn"}) {
    const golden::Frame& frame = golden::frame(name);
    const auto bytes = frame.bytes();
    LinkInfo link;
    const auto payload = read_link(frame.link_type, bytes, link);
    INFO(name);
    REQUIRE(payload);
    CHECK(payload->ethertype == 0x0800);
    CHECK(payload->bytes.size() == 60);
    CHECK(payload->bytes.data() + payload->bytes.size() == bytes.data() + bytes.size());
  }
  LinkInfo link;
  const auto echo6 = golden::frame("raw_echo_reply6").bytes();
  CHECK(read_link(LinkType::raw_ip, echo6, link)->ethertype == 0x86dd);
  CHECK(read_link(LinkType::ethernet, golden::frame("eth_arp").bytes(), link)->ethertype == 0x0806);
  CHECK_FALSE(read_link(LinkType::ethernet, std::span(echo6).first(13), link));
}

TEST_CASE("random damage never leaves the frame", "[wire][decode]") {
  std::mt19937 random(20);
  for (int round = 0; round < 40000; ++round) {
    const golden::Frame& frame = golden::kFrames[random() % std::size(golden::kFrames)];
    auto bytes = frame.bytes();
    const auto changes = 1 + random() % 6;
    for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0xff : random());
    }
    bytes.resize(random() % 4 == 0 ? random() % (bytes.size() + 1) : bytes.size());
    bytes.shrink_to_fit();
    const LinkType link_type = random() % 8 == 0 ? kLinkTypes[random() % std::size(kLinkTypes)] : frame.link_type;
    DecodedPacket packet;
    const DecodeStatus status = decode(link_type, bytes, packet);
    REQUIRE(spans_inside(packet, bytes));
    REQUIRE(transports(packet) <= 1);
    if (status == DecodeStatus::ok) {
      REQUIRE(transports(packet) == 1);
      REQUIRE(is_icmp_error(packet) == packet.quoted.has_value());
    }
  }
}

// Flows and endpoints as text, both ways.
#include "volley/rss/flow_text.h"

#include "room_test.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;
using wire::IpProtocol;

namespace {

std::string error_of(std::string_view text, IpProtocol protocol = IpProtocol::tcp) {
  const auto result = parse_flow(text, protocol);
  const auto* error = std::get_if<std::string>(&result);
  return error == nullptr ? "no error" : *error;
}

}  // namespace

TEST_CASE("a flow is read and written in both families") {
  const auto v4 = flow_of("10.0.3.9", 41000, "10.0.3.7", 443);
  CHECK(value_of(parse_flow("10.0.3.9:41000>10.0.3.7:443", IpProtocol::tcp)) == v4);
  CHECK(value_of(parse_flow("  10.0.3.9:41000 > 10.0.3.7:443\r", IpProtocol::tcp)) == v4);
  CHECK(flow_text(v4) == "10.0.3.9:41000>10.0.3.7:443");
  const auto v6 = flow_of("2001:db8::9", 1, "2001:db8::7", 65535, IpProtocol::udp);
  CHECK(value_of(parse_flow("[2001:db8::9]:1>[2001:db8::7]:65535", IpProtocol::udp)) == v6);
  CHECK(flow_text(v6) == "[2001:db8::9]:1>[2001:db8::7]:65535");
}

TEST_CASE("ICMP flows have no ports, and are ICMPv6 between IPv6 addresses") {
  auto flow = value_of(parse_flow("10.0.3.9>10.0.3.7", IpProtocol::icmp));
  CHECK(flow.protocol == IpProtocol::icmp);
  CHECK(flow_text(flow) == "10.0.3.9>10.0.3.7");
  flow = value_of(parse_flow("2001:db8::9>[2001:db8::7]", IpProtocol::icmp));
  CHECK(flow.protocol == IpProtocol::icmpv6);
  CHECK(flow_text(flow) == "2001:db8::9>2001:db8::7");
  CHECK(error_of("10.0.3.9:1>10.0.3.7", IpProtocol::icmp) ==
        "\"10.0.3.9:1>10.0.3.7\" has a port, and ICMP has none: SRC>DST");
}

TEST_CASE("a text that is no flow gets the reason") {
  const std::string address = " is not an address with an optional port: 192.0.2.1:443 or [2001:db8::1]:443";
  CHECK(error_of("") == "\"\" is not a flow: SRC:PORT>DST:PORT");
  CHECK(error_of("10.0.3.9:41000") == "\"10.0.3.9:41000\" is not a flow: SRC:PORT>DST:PORT");
  CHECK(error_of("10.0.3.9>10.0.3.7:443") == "\"10.0.3.9>10.0.3.7:443\" lacks a port: SRC:PORT>DST:PORT");
  CHECK(error_of("10.0.3.9:1>[2001:db8::7]:2") == "\"10.0.3.9:1>[2001:db8::7]:2\" mixes an IPv4 and an IPv6 address");
  CHECK(error_of("web7:1>10.0.3.7:443") == "\"web7:1\"" + address);
  CHECK(error_of("10.0.3.9:1>") == "\"\"" + address);
  CHECK(error_of("10.0.3.9:1>1.2.3.4:5>6.7.8.9:1").find("is not a") != std::string::npos);
  CHECK(error_of("[10.0.3.9]:1>10.0.3.7:443") == "\"[10.0.3.9]:1\"" + address);
  CHECK(error_of("[2001:db8::9:1>10.0.3.7:443") == "\"[2001:db8::9:1\"" + address);
  CHECK(error_of("[2001:db8::9]1>10.0.3.7:443") == "\"[2001:db8::9]1\"" + address);
  for (const std::string port : {"0", "65536", "-1", "x", "", "1 ", "99999999999999999999"}) {
    const auto error = error_of("10.0.3.9:" + port + "x>10.0.3.7:443");
    CHECK(error == "\"" + port + "x\" is not a port from 1 to 65535");
  }
  CHECK(error_of("10.0.3.9:0>10.0.3.7:443") == "\"0\" is not a port from 1 to 65535");
  CHECK(error_of("10.0.3.9:65536>10.0.3.7:443") == "\"65536\" is not a port from 1 to 65535");
}

TEST_CASE("a file of flows has comments, empty lines, and errors with a line number") {
  const auto flows = value_of(
      parse_flows("# from web9\r\n10.0.3.9:1>10.0.3.7:443 # first\n\n10.0.3.9:2>10.0.3.7:443", IpProtocol::tcp));
  REQUIRE(flows.size() == 2);
  CHECK(flows[1] == flow_of("10.0.3.9", 2, "10.0.3.7", 443));
  CHECK(value_of(parse_flows("", IpProtocol::tcp)).empty());
  CHECK(std::get<std::string>(parse_flows("10.0.3.9:1>10.0.3.7:443\n\nnonsense\n", IpProtocol::tcp)) ==
        "line 3: \"nonsense\" is not a flow: SRC:PORT>DST:PORT");
}

TEST_CASE("an endpoint has an address and maybe a port") {
  CHECK(value_of(parse_endpoint("10.0.3.7")).port == 0);
  CHECK(value_of(parse_endpoint("10.0.3.7:443")).port == 443);
  CHECK(value_of(parse_endpoint("2001:db8::7")) == value_of(parse_endpoint("[2001:db8::7]")));
  CHECK(value_of(parse_endpoint("[2001:db8::7]:443")).port == 443);
  CHECK(endpoint_text(wire::parse_address("2001:db8::7").value(), 443) == "[2001:db8::7]:443");
  CHECK(endpoint_text(wire::parse_address("10.0.3.7").value(), 443) == "10.0.3.7:443");
}

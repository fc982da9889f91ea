// The fast paths against the reference.
#include "volley/rss/flow_hasher.h"

#include "room_test.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

TEST_CASE("the fast hashers give what the reference gives, for any configuration and flow") {
  Draw draw;
  const HashFunction functions[] = {HashFunction::toeplitz, HashFunction::xor8, HashFunction::crc32};
  const InputTransform transforms[] = {InputTransform::none, InputTransform::symmetric_xor,
                                       InputTransform::symmetric_or_xor};
  const HashFields fields[] = {HashFields::addresses_and_ports, HashFields::addresses, HashFields::none};
  const std::pair<wire::IpFamily, wire::IpProtocol> kinds[] = {
      {wire::IpFamily::v4, wire::IpProtocol::tcp},  {wire::IpFamily::v6, wire::IpProtocol::tcp},
      {wire::IpFamily::v4, wire::IpProtocol::udp},  {wire::IpFamily::v6, wire::IpProtocol::udp},
      {wire::IpFamily::v4, wire::IpProtocol::icmp}, {wire::IpFamily::v6, wire::IpProtocol::icmpv6}};
  for (const auto function : functions) {
    for (const auto transform : transforms) {
      for (const auto field : fields) {
        for (const auto& [family, protocol] : kinds) {
          auto config = config_of(draw.bytes(draw.port() % 2 == 0 ? 40 : 52), 24, 128);
          config.function = function;
          config.transform = transform;
          config.udp_fields = field;
          config.initial_hash = draw.port();
          auto flow = draw.flow(family, protocol);
          const FlowHasher by_port(config, flow);
          const RssHasher by_flow(config);
          for (int round = 0; round < 64; ++round) {
            flow.source_port = draw.port();
            const auto hash = hash_of(config, flow);
            const auto queue = queue_of(config, flow);
            REQUIRE(by_port.hash(flow.source_port) == hash);
            REQUIRE(by_port.queue(flow.source_port) == queue);
            REQUIRE(by_flow.hash(flow) == hash);
            REQUIRE(by_flow.queue(flow) == queue);
          }
        }
      }
    }
  }
}

TEST_CASE("a flow hasher agrees on every source port") {
  Draw draw;
  auto config = config_of(draw.bytes(40), 8);
  auto flow = draw.flow(wire::IpFamily::v4);
  const FlowHasher hasher(config, flow);
  bool agrees = true;
  for (std::uint32_t port = 0; port <= 0xffffU; ++port) {
    flow.source_port = static_cast<std::uint16_t>(port);
    agrees = agrees && hasher.hash(flow.source_port) == hash_of(config, flow);
  }
  CHECK(agrees);
}

TEST_CASE("hashers over an empty table give queue 0") {
  RssConfig config;
  Draw draw;
  const auto flow = draw.flow(wire::IpFamily::v4);
  CHECK(FlowHasher(config, flow).queue(1234) == 0);
  CHECK(RssHasher(config).queue(flow) == 0);
}

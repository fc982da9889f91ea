// Source ports by queue against the reference.
#include "volley/rss/source_ports.h"

#include "room_test.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

TEST_CASE("the ports of all queues are the range, each port once, where the reference puts it") {
  Draw draw;
  const auto config = config_of(draw.bytes(40), 8);
  auto flow = draw.flow(wire::IpFamily::v4);
  const PortRange range{40000, 40999};
  const auto counts = ports_per_queue(config, flow, range);
  REQUIRE(counts.size() == 8);
  std::size_t total = 0;
  for (QueueId queue = 0; queue < 8; ++queue) {
    const auto ports = ports_for_queue(config, flow, queue, range);
    CHECK(ports.size() == counts[queue]);
    CHECK(std::is_sorted(ports.begin(), ports.end()));
    total += ports.size();
    for (const auto port : ports) {
      REQUIRE(port >= 40000);
      REQUIRE(port <= 40999);
      flow.source_port = port;
      REQUIRE(queue_of(config, flow) == queue);
    }
  }
  CHECK(total == 1000);
  CHECK(ports_for_queue(config, flow, 8, range).empty());
}

TEST_CASE("an aligned block of ports spreads equally where the map is of full rank") {
  Draw draw;
  const auto config = config_of(draw.bytes(40), 8);
  const auto flow = draw.flow(wire::IpFamily::v6);
  const auto counts = ports_per_queue(config, flow, {32768, 65535});
  for (const auto count : counts) {
    CHECK(count == 4096);
  }
}

TEST_CASE("ICMP and empty ranges") {
  Draw draw;
  const auto config = config_of(draw.bytes(40), 8);
  const auto flow = draw.flow(wire::IpFamily::v4, wire::IpProtocol::icmp);
  const auto queue = queue_of(config, flow);
  CHECK(ports_for_queue(config, flow, queue, {1, 100}).size() == 100);
  CHECK(ports_for_queue(config, flow, queue, {100, 1}).empty());
  CHECK(ports_for_queue(config, flow, queue, {65535, 65535}) == std::vector<std::uint16_t>{65535});
  CHECK(PortRange{0, 65535}.size() == 65536);
  CHECK(ports_per_queue(RssConfig{}, flow, {1, 100}).empty());
}

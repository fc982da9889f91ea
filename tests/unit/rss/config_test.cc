// From a flow to a queue: fields by protocol, initial value, table.
#include "volley/rss/config.h"

#include "room_test.h"
#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;
using wire::IpProtocol;

namespace {

RssConfig microsoft(std::size_t queues, std::size_t entries = 128) {
  const auto key = find_known_key("microsoft")->bytes;
  return config_of({key.begin(), key.end()}, queues, entries);
}

}  // namespace

TEST_CASE("a queue is the table's entry that the low bits of the hash pick") {
  // The first row of the published table: 0x51ccc178, low seven bits 0x78.
  const auto flow = flow_of("66.9.149.187", 2794, "161.142.100.80", 1766);
  auto config = microsoft(8);
  CHECK(hash_of(config, flow) == 0x51ccc178U);
  CHECK(queue_of(config, flow) == 0x78 % 8);
  config.table.assign(128, 0);
  config.table[0x78] = 47;
  CHECK(queue_of(config, flow) == 47);
  CHECK(config.queue_count() == 48);
  config.table = {5};
  CHECK(queue_of(config, flow) == 5);
  config.table.clear();
  CHECK(queue_of(config, flow) == 0);
  CHECK(config.queue_count() == 0);
}

TEST_CASE("an initial value is XORed into the hash") {
  auto config = microsoft(8);
  const auto flow = flow_of("66.9.149.187", 2794, "161.142.100.80", 1766);
  config.initial_hash = 0xffffffffU;
  CHECK(hash_of(config, flow) == ~0x51ccc178U);
}

TEST_CASE("ICMP is hashed on addresses alone, whatever the fields of TCP and UDP are") {
  const auto config = microsoft(8);
  auto flow = flow_of("66.9.149.187", 2794, "161.142.100.80", 1766, IpProtocol::icmp);
  CHECK(hash_of(config, flow) == 0x323e8fc2U);
  flow = flow_of("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, IpProtocol::icmpv6);
  CHECK(hash_of(config, flow) == 0x2cc18cd5U);
}

TEST_CASE("each protocol and family has hash fields of its own") {
  auto config = microsoft(8);
  config.udp_fields = HashFields::addresses;
  CHECK(hash_fields(config, IpProtocol::tcp, wire::IpFamily::v4) == HashFields::addresses_and_ports);
  CHECK(hash_fields(config, IpProtocol::udp, wire::IpFamily::v4) == HashFields::addresses);
  CHECK(hash_fields(config, IpProtocol::udp, wire::IpFamily::v6) == HashFields::addresses);
  config.udp6_fields = HashFields::addresses_and_ports;
  config.tcp6_fields = HashFields::none;
  CHECK(hash_fields(config, IpProtocol::udp, wire::IpFamily::v4) == HashFields::addresses);
  CHECK(hash_fields(config, IpProtocol::udp, wire::IpFamily::v6) == HashFields::addresses_and_ports);
  CHECK(hash_fields(config, IpProtocol::tcp, wire::IpFamily::v6) == HashFields::none);

  auto flow = flow_of("66.9.149.187", 2794, "161.142.100.80", 1766, IpProtocol::udp);
  CHECK(hash_of(config, flow) == 0x323e8fc2U);
  flow = flow_of("3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, IpProtocol::tcp);
  config.initial_hash = 0xffffffffU;
  CHECK(hash_of(config, flow) == 0);
}

TEST_CASE("xor8 takes the XOR of all bytes, and the high bits of it in a small table") {
  auto config = microsoft(8, 256);
  config.function = HashFunction::xor8;
  config.key.clear();
  // 10^0^3^9 ^ 10^0^3^7 = 14; ports 0x1234: 0x26, 443 = 0x01bb: 0xba.
  const auto flow = flow_of("10.0.3.9", 0x1234, "10.0.3.7", 443);
  const std::uint32_t expected = 14U ^ 0x26U ^ 0xbaU;
  CHECK(hash_of(config, flow) == expected);
  CHECK(queue_of(config, flow) == expected % 8);
  CHECK(table_index(HashFunction::xor8, expected, 256) == expected);
  CHECK(table_index(HashFunction::xor8, expected, 512) == expected);
  CHECK(table_index(HashFunction::xor8, 0xa5, 16) == 0xa);
  CHECK(table_index(HashFunction::xor8, 0xa5, 1) == 0);
  CHECK(hash_of(config, reversed(flow)) == expected);
}

TEST_CASE("crc32 is the one of IEEE 802.3") {
  auto config = microsoft(8);
  config.function = HashFunction::crc32;
  // The bytes of these addresses and ports spell "123456789012".
  const auto flow = flow_of("49.50.51.52", 0x3930, "53.54.55.56", 0x3132);
  CHECK(hash_of(config, flow) == 0x5d34eb96U);
}

TEST_CASE("what makes a configuration unusable is said") {
  auto config = microsoft(8);
  CHECK(why_unusable(config).empty());
  config.key.resize(39);
  CHECK(why_unusable(config) == "a hash key of 39 bytes, and Toeplitz over IPv6 needs 40");
  config.key.clear();
  CHECK(why_unusable(config) == "no hash key");
  config.function = HashFunction::xor8;
  CHECK(why_unusable(config).empty());
  config.table.resize(129);
  CHECK(why_unusable(config) == "129 entries in the table, and a table has a power of two");
  config.table.clear();
  CHECK(why_unusable(config) == "no indirection table");
  config.table.resize(16384);
  CHECK(why_unusable(config) == "16384 entries in the table, and 8192 is the most that volley takes");
}

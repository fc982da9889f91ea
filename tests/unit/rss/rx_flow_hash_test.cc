// Every `ethtool -n DEV rx-flow-hash` output of the data, and odd ones.
#include "volley/rss/rx_flow_hash.h"

#include "room_test.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

std::string error_of(std::string_view text) {
  const auto result = parse_rx_flow_hash(text);
  const auto* error = std::get_if<EthtoolError>(&result);
  return error == nullptr ? "no error" : to_string(*error);
}

const std::string kHeading = "UDP over IPV4 flows use these fields for computing Hash flow key:\n";

}  // namespace

TEST_CASE("every output for TCP and UDP gives protocol, family and fields") {
  const std::pair<std::string, wire::IpProtocol> protocols[] = {{"tcp", wire::IpProtocol::tcp},
                                                                {"udp", wire::IpProtocol::udp}};
  const std::pair<std::string, wire::IpFamily> families[] = {{"4", wire::IpFamily::v4}, {"6", wire::IpFamily::v6}};
  const std::pair<std::string, HashFields> fields[] = {
      {"2tuple", HashFields::addresses}, {"4tuple", HashFields::addresses_and_ports}, {"none", HashFields::none}};
  for (const auto& [protocol_name, protocol] : protocols) {
    for (const auto& [digit, family] : families) {
      for (const auto& [name, expected] : fields) {
        const auto file = "ethtool/rx-flow-hash." + protocol_name + digit + "." + name + ".txt";
        CAPTURE(file);
        CHECK(value_of(parse_rx_flow_hash(read_data(file))) == RxFlowHash{protocol, family, expected, 0, 1});
      }
      for (const std::string version : {"6.1", "6.14", "7.2"}) {
        const auto end = ".n-rx-flow-hash-" + protocol_name + digit + ".txt";
        const auto virtio = "ethtool-real/virtio_net.ethtool-" + version + end;
        CAPTURE(virtio);
        CHECK(value_of(parse_rx_flow_hash(read_data(virtio))).fields == HashFields::addresses_and_ports);
        const auto e1000e = "ethtool-real/e1000e.ethtool-" + version + end;
        CHECK(value_of(parse_rx_flow_hash(read_data(e1000e))).fields ==
              (protocol == wire::IpProtocol::udp ? HashFields::addresses : HashFields::addresses_and_ports));
        CHECK(error_of(read_data("ethtool-real/vmxnet3.ethtool-" + version + end)) ==
              "line 1: ethtool could not show the hashed fields: \"Cannot get RX network flow hashing options: "
              "Operation not supported\"");
      }
    }
  }
}

TEST_CASE("outputs for other protocols are passed over") {
  for (const std::string name : {"2tuple", "4tuple", "none"}) {
    const auto text = read_data("ethtool/rx-flow-hash.sctp4." + name + ".txt");
    CHECK(error_of(text) ==
          "line 1: \"SCTP over IPV4 flows use these fields for computing Hash flow key:\" does not tell how TCP or UDP "
          "is "
          "hashed");
    const auto blocks = value_of(read_rx_flow_hashes(split_lines(text)));
    CHECK(blocks.empty());
  }
}

TEST_CASE("ethtool's refusal of JSON is no answer") {
  for (const std::string driver : {"e1000e", "virtio_net", "vmxnet3"}) {
    for (const std::string version : {"6.14", "7.2"}) {
      CHECK(error_of(read_data("ethtool-real/" + driver + ".ethtool-" + version + ".json-n-udp4.txt")) ==
            "line 1: \"ethtool: bad command line argument(s)\" does not tell how TCP or UDP is hashed");
    }
  }
}

TEST_CASE("the fields of an RSS context say so") {
  const auto block = value_of(parse_rx_flow_hash("For RSS context 3:\r\n" + kHeading + "IP SA\r\nIP DA\r\n\r\n"));
  CHECK(block.rss_context == 3);
  CHECK(block.fields == HashFields::addresses);
  CHECK(block.line == 2);
}

TEST_CASE("fields that volley can't compute are an error that names the line") {
  CHECK(error_of(kHeading + "VLAN tag\nIP SA\nIP DA\n\n") ==
        "line 2: UDP over IPV4 is hashed on \"VLAN tag\", which volley can't compute");
  CHECK(error_of(kHeading + "IP DA\n\n") ==
        "line 1: UDP over IPV4 is hashed on neither both addresses nor both addresses and both ports, and volley "
        "computes only these");
  CHECK(error_of("UDP over IPV4 flows - All matching flows discarded on RX\n") ==
        "line 1: UDP over IPV4 is discarded by this NIC: no probe would be answered");
  CHECK(error_of("For RSS context x:\n") == "line 1: \"x\" is not the number of an RSS context");
  CHECK(error_of(kHeading + "IP SA\nIP DA\n\n" + kHeading + "IP SA\nIP DA\n\n") ==
        "line 5: a second protocol, and one is wanted");
  CHECK(error_of("") == "empty, and the output of ethtool -n DEV rx-flow-hash udp4 is needed");
}

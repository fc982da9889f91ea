// From options to a configuration, and what each wrong combination says.
#include "volley/rss/config_request.h"

#include "room_test.h"
#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

std::string error_of(const ConfigRequest& request) {
  const auto made = make_config(request);
  const auto* error = std::get_if<std::string>(&made);
  return error == nullptr ? "no error" : *error;
}

ConfigRequest of_file(const std::string& file) {
  return {.text = read_data(file), .text_name = "web7.txt"};
}

const std::string kNoKey = "ethtool-real/vmxnet3.ethtool-7.2.x.txt";
const std::string kComplete = "ethtool-real/virtio_net.ethtool-7.2.x.txt";

}  // namespace

TEST_CASE("nothing given is an empty request") {
  CHECK(is_empty({}));
  CHECK_FALSE(is_empty({.key = "microsoft"}));
  CHECK_FALSE(is_empty({.table_size = 128}));
}

TEST_CASE("a complete text needs nothing else") {
  const auto rss = value_of(make_config(of_file(kComplete)));
  CHECK(rss.config == value_of(parse_ethtool_x(read_data(kComplete))));
  CHECK(rss.notes.empty());
}

TEST_CASE("a key and a number of queues make a configuration with the usual table") {
  auto rss = value_of(make_config({.key = "microsoft", .queues = 24}));
  CHECK(rss.config.key_name == "microsoft");
  CHECK(rss.config.table == default_table(128, 24, TableFill::modulo));
  CHECK(rss.notes == std::vector<std::string>{"the table is assumed: 128 entries, entry i to queue i % 24"});
  CHECK(why_unusable(rss.config).empty());
  rss = value_of(make_config({.key = "microsoft", .queues = 24, .table_size = 512}));
  CHECK(rss.config.table.size() == 512);
  rss = value_of(make_config({.key = "microsoft", .queues = 300}));
  CHECK(rss.config.table.size() == 512);
}

TEST_CASE("options fill what the text lacks") {
  auto request = of_file(kNoKey);
  CHECK(error_of(request) ==
        "--rss web7.txt: line 19: no hash key (Operation not supported): give --rss-key; net.core.netdev_rss_key on "
        "the target has the key that most drivers use");
  request.key = read_data("ethtool-real/netdev_rss_key.txt");
  const auto rss = value_of(make_config(request));
  CHECK(rss.config.key.size() == 52);
  CHECK(rss.missing_key == EthtoolError{});
  CHECK(rss.interface_name == "eth2");
  CHECK(rss.notes.empty());

  // The kernel's key is the one that virtio showed, and 12 bytes more.
  auto flow = flow_of("10.0.3.9", 41000, "10.0.3.7", 443);
  CHECK(hash_of(rss.config, flow) == hash_of(value_of(make_config(of_file(kComplete))).config, flow));
}

TEST_CASE("a table that the text lacks is made") {
  const auto whole = read_data(kComplete);
  ConfigRequest request{.text = whole.substr(whole.find("RSS hash key")), .text_name = "-"};
  CHECK(error_of(request) ==
        "--rss -: no indirection table (no \"RX flow hash indirection table for \" in the text): give --rss-queues for "
        "a table as most drivers fill it");
  request.queues = 4;
  CHECK(value_of(make_config(request)).config == value_of(parse_ethtool_x(whole)));
}

TEST_CASE("a key that is given goes before the one in the text, and is said") {
  auto request = of_file(kComplete);
  request.key = "microsoft";
  const auto rss = value_of(make_config(request));
  CHECK(rss.config.key_name == "microsoft");
  CHECK(rss.notes == std::vector<std::string>{"the key of --rss-key is used, not the one in web7.txt"});
}

TEST_CASE("wrong combinations say what to do") {
  CHECK(error_of({.text = "hello", .text_name = "web7.txt"}) ==
        "--rss web7.txt: line 1: \"hello\" is not the output of ethtool -x");
  CHECK(error_of({.key = "microsoft"}) == "--rss-key needs --rss-queues, the number of receive queues");
  CHECK(error_of({.queues = 8}) == "--rss-queues needs --rss-key or --rss");
  CHECK(error_of({.table_size = 128}) == "--rss-table needs --rss-key or --rss");
  CHECK(error_of({.key = "6d5a", .queues = 8}) == "--rss-key: a key of 2 bytes, and a key has 40 to 256");
  CHECK(error_of({.key = "microsoft", .queues = 0}) == "--rss-queues 0: 1 to 8192 queues are possible");
  CHECK(error_of({.key = "microsoft", .queues = 9000}) == "--rss-queues 9000: 1 to 8192 queues are possible");
  CHECK(error_of({.key = "microsoft", .queues = 8, .table_size = 100}) ==
        "--rss-table: 100 entries in the table, and a table has a power of two");
  CHECK(error_of({.key = "microsoft", .queues = 200, .table_size = 128}) ==
        "--rss-queues 200: a table of 128 entries can't name so many");
  auto request = of_file(kComplete);
  request.queues = 8;
  CHECK(error_of(request) == "--rss-queues: --rss web7.txt has a table of its own");
  request.queues.reset();
  request.table_size = 8;
  CHECK(error_of(request) == "--rss-table: --rss web7.txt has a table of its own");
}

TEST_CASE("doubtful predictions come with a note") {
  const auto xor8 = value_of(make_config(of_file("ethtool/mlx5_8q_xor8.x.ethtool-6.1.txt")));
  REQUIRE(xor8.notes.size() == 1);
  CHECK(xor8.notes[0].starts_with("hash function xor: computed as mlx5's driver suggests"));
  const auto ena = value_of(make_config({.key = "ena-fixed", .queues = 8}));
  REQUIRE(ena.notes.size() == 2);
  CHECK(ena.notes[1].starts_with("key ena-fixed: "));
}

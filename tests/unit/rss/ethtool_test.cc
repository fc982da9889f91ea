// Every `ethtool -x` output of the data, and texts that can't be understood.
#include "volley/rss/ethtool.h"

#include "room_test.h"
#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

const std::string kVirtioKey =
    "fe:bf:66:9c:2d:17:4c:76:e3:4f:4a:fe:ed:e4:f8:fc:5b:7d:9a:e3:f9:1e:72:7e:fa:22:66:1f:fe:9b:12:78:7a:2d:41:c4:db:"
    "0e:12:71";

// What a file of the data must give.
struct Expected {
  std::string file;
  std::string interface_name;
  std::uint32_t rings;
  std::string key;  // its first bytes, as printed
  std::size_t key_bytes;
  std::vector<QueueId> table;
  InputTransform transform = InputTransform::none;
  HashFunction function = HashFunction::toeplitz;
  std::string key_name = "";
};

std::vector<QueueId> modulo(std::size_t entries, std::size_t queues) {
  return default_table(entries, queues, TableFill::modulo);
}

std::vector<QueueId> without_4_and_6() {
  const QueueId order[] = {0, 1, 2, 3, 5, 7};
  std::vector<QueueId> table;
  for (std::size_t i = 0; i < 128; ++i) {
    table.push_back(order[i % 6]);
  }
  return table;
}

std::vector<Expected> complete_files() {
  using enum InputTransform;
  const auto four = modulo(128, 4);
  return {
      {"ethtool-real/virtio_net.ethtool-6.1.x.txt", "eth0", 4, kVirtioKey, 40, four},
      {"ethtool-real/virtio_net.ethtool-6.14.x.txt", "eth0", 4, kVirtioKey, 40, four},
      {"ethtool-real/virtio_net.ethtool-7.2.x.txt", "eth0", 4, kVirtioKey, 40, four},
      {"ethtool-real/virtio_net.ethtool-6.14.json-x.txt", "eth0", 0, kVirtioKey, 40, four},
      {"ethtool-real/virtio_net.ethtool-7.2.json-x.txt", "eth0", 0, kVirtioKey, 40, four},
      {"ethtool/bnxt_p5_80q_128.x.ethtool-6.14.txt", "ens3f0np0", 80, "af:58:d1:3c", 40, modulo(128, 80)},
      {"ethtool/hv_netvsc_8q_mskey.x.ethtool-6.1.txt", "eth0", 8, "6d:5a:56:da", 40, modulo(128, 8), none,
       HashFunction::toeplitz, "microsoft"},
      {"ethtool/i40e_64q_key52.x.ethtool-6.1.txt", "ens1f0", 64, "9c:ed:0b:73", 52, modulo(512, 64)},
      {"ethtool/ice_16q_2048_symxor.x.ethtool-6.14.txt", "ens2f0np0", 16, "be:ca:91:84", 52, modulo(2048, 16),
       symmetric_xor},
      {"ethtool/igb_8q_blockfill.x.ethtool-6.1.txt", "eno1", 8, "54:93:59:69", 40,
       default_table(128, 8, TableFill::blocks)},
      {"ethtool/ixgbe_82599_16q.x.ethtool-6.1.txt", "eth0", 16, "68:00:d8:e7", 40, modulo(128, 16)},
      {"ethtool/ixgbe_x550_24q.x.ethtool-6.1.txt", "eth0", 24, "31:ee:be:a2", 40, modulo(512, 24)},
      {"ethtool/key_first_byte_decimal_pitfall.x.ethtool-6.1.txt", "eth0", 4, "12:8f:a7:41", 40, four},
      {"ethtool/mlx5_24q_symorxor.x.ethtool-7.2.txt", "enp65s0f0np0", 24, "09:f6:b9:30", 40, modulo(256, 24),
       symmetric_or_xor},
      {"ethtool/mlx5_8q_xor8.x.ethtool-6.1.txt", "enp65s0f0np0", 8, "16:62:21:1e", 40, modulo(256, 8), none,
       HashFunction::xor8},
      {"ethtool/weighted_two_queues_excluded.x.ethtool-6.1.txt", "eth0", 8, "65:81:99:a5", 40, without_4_and_6()},
  };
}

std::string error_of(std::string_view text) {
  const auto result = parse_ethtool_x(text);
  const auto* error = std::get_if<EthtoolError>(&result);
  return error == nullptr ? "no error" : to_string(*error);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string good_text() {
  return read_data("ethtool-real/virtio_net.ethtool-7.2.x.txt");
}
std::string good_json() {
  return read_data("ethtool-real/virtio_net.ethtool-7.2.json-x.txt");
}

}  // namespace

TEST_CASE("every complete ethtool output gives key, function, transformation and table") {
  for (const auto& expected : complete_files()) {
    CAPTURE(expected.file);
    const auto text = read_data(expected.file);
    const auto rss = value_of(read_ethtool(text));
    CHECK(rss.interface_name == expected.interface_name);
    CHECK(rss.ring_count == expected.rings);
    CHECK(rss.function_source == FunctionSource::stated);
    CHECK(rss.notes.empty());
    CHECK(rss.config.function == expected.function);
    CHECK(rss.config.transform == expected.transform);
    CHECK(rss.config.table == expected.table);
    CHECK(rss.config.key.size() == expected.key_bytes);
    CHECK(rss.config.key_name == expected.key_name);
    const auto beginning = parse_hex_key(expected.key);
    REQUIRE(rss.config.key.size() >= beginning.size());
    CHECK(std::equal(beginning.begin(), beginning.end(), rss.config.key.begin()));
    CHECK(value_of(parse_ethtool_x(text)) == rss.config);
    CHECK(why_unusable(rss.config).empty());
  }
}

TEST_CASE("outputs without key, function or table say what is missing") {
  const std::pair<std::string, std::string> cases[] = {
      {"ethtool-real/vmxnet3.ethtool-6.1.x.txt", "line 19: no hash key (Operation not supported)"},
      {"ethtool-real/vmxnet3.ethtool-6.14.x.txt", "line 19: no hash key (Operation not supported)"},
      {"ethtool-real/vmxnet3.ethtool-7.2.x.txt", "line 19: no hash key (Operation not supported)"},
      {"ethtool-real/vmxnet3.ethtool-6.14.json-x.txt", "no hash key (no \"rss-hash-key\" in the JSON)"},
      {"ethtool-real/vmxnet3.ethtool-7.2.json-x.txt", "no hash key (no \"rss-hash-key\" in the JSON)"},
      {"ethtool/ena_old_nokey.x.ethtool-6.1.txt", "line 19: no hash key (Operation not supported)"},
      {"ethtool-real/e1000e.ethtool-6.1.x.txt",
       "line 1: ethtool could not show an RSS table: \"Cannot get RX ring count: Operation not supported\""},
      {"ethtool-real/e1000e.ethtool-6.14.x.txt",
       "line 1: ethtool could not show an RSS table: \"netlink error: Operation not supported\""},
      {"ethtool-real/e1000e.ethtool-7.2.x.txt",
       "line 1: ethtool could not show an RSS table: \"netlink error: Operation not supported\""},
      {"ethtool-real/e1000e.ethtool-6.14.json-x.txt",
       "line 1: ethtool could not show an RSS table: \"netlink error: Operation not supported\""},
      {"ethtool-real/e1000e.ethtool-7.2.json-x.txt",
       "line 1: ethtool could not show an RSS table: \"netlink error: Operation not supported\""},
      {"ethtool/no_rxfh.x.stderr.ethtool-6.1.txt",
       "line 1: ethtool could not show an RSS table: \"Cannot get RX ring count: Operation not supported\""},
      {"ethtool/no_rxfh.x.stderr.ethtool-7.2.txt",
       "line 1: ethtool could not show an RSS table: \"netlink error: Operation not supported\""},
  };
  for (const auto& [file, error] : cases) {
    CAPTURE(file);
    CHECK(error_of(read_data(file)) == error);
  }
}

TEST_CASE("what an incomplete output does say is kept") {
  const auto rss = value_of(read_ethtool(read_data("ethtool-real/vmxnet3.ethtool-7.2.x.txt")));
  CHECK(rss.interface_name == "eth2");
  CHECK(rss.config.table == modulo(128, 4));
  CHECK(rss.config.key.empty());
  CHECK(to_string(rss.missing_key) == "line 19: no hash key (Operation not supported)");

  const auto ena = value_of(read_ethtool(read_data("ethtool/ena_old_nokey.x.ethtool-6.1.txt")));
  CHECK(ena.function_source == FunctionSource::assumed);
  CHECK(ena.notes == std::vector<std::string>{"the driver does not name its hash function; Toeplitz is assumed"});
}

TEST_CASE("line ends, tabs, blanks and words before the output don't matter") {
  const auto expected = value_of(parse_ethtool_x(good_text()));
  std::string crlf;
  for (const char c : good_text()) {
    crlf += c == '\n' ? std::string(" \t\r\n") : c == ' ' && crlf.ends_with('\t') ? "\t" : std::string(1, c);
  }
  CHECK(value_of(parse_ethtool_x(crlf)) == expected);
  CHECK(value_of(parse_ethtool_x("\n\n  $ ssh web7 ethtool -x eth0\n" + good_text() + "\n\n")) == expected);
  CHECK(value_of(parse_ethtool_x(good_text().substr(0, good_text().size() - 1))) == expected);
  CHECK(value_of(parse_ethtool_x("\r\n" + good_json() + "\n")) == expected);
}

TEST_CASE("hashed fields that follow the table are taken") {
  const auto tcp = read_data("ethtool/rx-flow-hash.tcp4.4tuple.txt");
  const auto udp_addresses = read_data("ethtool/rx-flow-hash.udp4.2tuple.txt");
  const auto udp6_ports = read_data("ethtool/rx-flow-hash.udp6.4tuple.txt");
  for (const auto& table : {good_text(), good_json() + "\n"}) {
    auto rss = value_of(read_ethtool(table + tcp + udp_addresses));
    CHECK(rss.tcp_fields_source == FieldsSource::stated);
    CHECK(rss.udp_fields_source == FieldsSource::stated);
    CHECK(rss.config.tcp_fields == HashFields::addresses_and_ports);
    CHECK(rss.config.udp_fields == HashFields::addresses);
    CHECK_FALSE(rss.config.udp6_fields);

    rss = value_of(read_ethtool(table + udp_addresses + udp6_ports));
    CHECK(rss.tcp_fields_source == FieldsSource::assumed);
    CHECK(rss.config.udp6_fields == HashFields::addresses_and_ports);

    rss = value_of(read_ethtool(table + read_data("ethtool/rx-flow-hash.sctp4.2tuple.txt") +
                                read_data("ethtool/rx-flow-hash.udp4.none.txt")));
    CHECK(rss.config.udp_fields == HashFields::none);
    CHECK(rss.config.tcp_fields == HashFields::addresses_and_ports);

    rss = value_of(read_ethtool(table + read_data("ethtool-real/vmxnet3.ethtool-7.2.n-rx-flow-hash-udp4.txt")));
    CHECK(rss.udp_fields_source == FieldsSource::assumed);
  }
  auto rss = value_of(read_ethtool(good_text() + read_data("ethtool/rx-flow-hash.udp6.2tuple.txt")));
  CHECK(rss.config.udp_fields == HashFields::addresses_and_ports);
  CHECK(rss.config.udp6_fields == HashFields::addresses);
  CHECK(error_of(good_text() + udp_addresses + read_data("ethtool/rx-flow-hash.udp4.4tuple.txt")) ==
        "line 31: hashed fields other than those that line 27 has for the same protocol");
  CHECK(error_of(udp_addresses) == "no indirection table (no output of ethtool -x in the text)");
}

TEST_CASE("an error names its line in the text") {
  const auto text = good_text();
  const std::pair<std::string, std::string> cases[] = {
      {replaced(text, "  120:      0     1     2     3     0     1     2     3\n",
                "  120:      0     1     2     3     0     1     2     3\n  128:      0\n"),
       "line 18: 129 entries in the table, and a table has a power of two"},
      {replaced(text, "   16:", "   17:"), "line 4: row 17 of the table, and row 16 is due"},
      {replaced(text, "   16:      0", "   16:      x"), "line 4: \"x\" is not a queue number"},
      {replaced(text, "   16:      0", "   16:  70000"), "line 4: \"70000\" is not a queue number"},
      {replaced(text, "   16:      0", "   16: -1"), "line 4: \"-1\" is not a queue number"},
      {replaced(text, "   16:  ", "   what  "),
       "line 4: \"what      0     1     2     3     0     1     2     3\" is not a row of the table"},
      {replaced(text, "fe:bf", "fe:bg"),
       "line 19: \"fe:bg:66:9c:2d:17:4c:76:e3:4f:4a:fe:ed:e4:f8:fc:5b:7d:9a:e3:f9:1e:72:7e:fa:22:66...\" is not a hash "
       "key"},
      {replaced(text, ":12:71\n", ":12\n"), "line 19: a hash key of 39 bytes, and a key has 40 to 256"},
      {replaced(text, "    xor: off", "    xor: on"), "line 22: a second hash function that is on: \"xor\""},
      {replaced(replaced(text, "toeplitz: on", "toeplitz: off"), "    crc32: off", "    crc64: on"),
       "line 23: hash function \"crc64\", and volley knows toeplitz, xor and crc32"},
      {replaced(replaced(text, "toeplitz: on", "toeplitz: off"), "    crc32: off",
                "    crc32: off\n    Unknown hash function: 0x8"),
       "line 24: hash function \"0x8\", and volley knows toeplitz, xor and crc32"},
      {replaced(replaced(text, "symmetric-xor: off", "symmetric-xor: on"), "or-xor: off", "or-xor: on"),
       "line 26: two input transformations that are on: \"symmetric-xor\" and \"symmetric-or-xor\""},
      {text + "    Unknown bits in RSS input transformation: 0x4\n",
       "line 27: input transformation \"0x4\", and volley knows symmetric-xor and symmetric-or-xor"},
      {text + text,
       "line 27: a second \"RX flow hash indirection table for eth0 with 4 RX ring(s):\", the first is in line 1: give "
       "the output for one interface"},
      {replaced(text, " with 4 RX ring(s):", ""), "line 1: cut off: \"RX flow hash indirection table for eth0\""},
      {text.substr(0, text.find("RSS hash key")), "no hash key (no \"RSS hash key:\" in the text)"},
      {text.substr(0, text.find("fe:bf")), "line 18: no hash key (nothing below its heading)"},
      {text.substr(0, text.find("    0:")), "line 1: no indirection table (the text ends before its first row)"},
      {replaced(text, text.substr(text.find("    0:"), text.find("RSS hash key") - text.find("    0:")),
                "Operation not supported\n"),
       "line 2: no indirection table (Operation not supported)"},
      {text.substr(text.find("RSS hash key")),
       "no indirection table (no \"RX flow hash indirection table for \" in the text)"},
      {"", "empty, and the output of ethtool -x is needed"},
      {" \n\t\r\n", "empty, and the output of ethtool -x is needed"},
      {"\nhello\n", "line 2: \"hello\" is not the output of ethtool -x"},
      {std::string("\x7f"
                   "ELF\0\1\2\xff\n",
                   9),
       "line 1: \"?ELF????\" is not the output of ethtool -x"},
      {std::string(2000, 'a'), "line 1: \"" + std::string(80, 'a') + "...\" is not the output of ethtool -x"},
      {std::string((1U << 20U) + 1, '\n'), "more than 1048576 bytes, and no output of ethtool -x is so long"},
  };
  for (const auto& [input, error] : cases) {
    CHECK(error_of(input) == error);
  }
}

TEST_CASE("an error names its line in the JSON") {
  const auto text = good_json();
  const auto of_table = [](std::size_t entries) {
    std::string list = "[{\n\"rss-indirection-table\": [0";
    for (std::size_t i = 1; i < entries; ++i) {
      list += ",0";
    }
    return list + "]}]";
  };
  const std::pair<std::string, std::string> cases[] = {
      {"[ ]\n", "line 1: an empty JSON list: ethtool could not show an RSS table"},
      {"[ {}, {} ]", "line 1: RSS of 2 interfaces: give the output for one"},
      {"\n[ 1 ]", "line 2: JSON, but not the output of ethtool --json -x"},
      {"{ \"ifname\": \"eth0\" }", "line 1: JSON, but not the output of ethtool --json -x"},
      {of_table(129), "line 2: 129 entries in the table, and a table has a power of two"},
      {of_table(0x4000), "line 2: 16384 entries in the table, and 8192 is the most that volley takes"},
      {replaced(text, "[ 0,1", "[ 0,70000"),
       "line 3: \"rss-indirection-table\": item 2 is not a number from 0 to 65535"},
      {replaced(text, "[ 0,1", "[ 0,-1"), "line 3: \"rss-indirection-table\": item 2 is not a number from 0 to 65535"},
      {replaced(text, "[ 0,1", "[ 0,1.5"), "line 3: \"rss-indirection-table\": item 2 is not a number from 0 to 65535"},
      {replaced(text, "254,191", "254,256"), "line 4: \"rss-hash-key\": item 2 is not a number from 0 to 255"},
      {replaced(text, "254,191", "\"fe\",191"), "line 4: \"rss-hash-key\": item 1 is not a number from 0 to 255"},
      {replaced(text, ",113 ]", " ]"), "line 4: a hash key of 39 bytes, and a key has 40 to 256"},
      {replaced(text, "\"toeplitz\"", "7"), "line 5: \"rss-hash-function\" is not a name"},
      {replaced(text, "\"toeplitz\"", "\"siphash\""),
       "line 5: hash function \"siphash\", and volley knows toeplitz, xor and crc32"},
      {replaced(text, "\"symmetric-or-xor\": false", "\"raw\": 4"),
       "line 6: input transformation \"raw\", and volley knows symmetric-xor and symmetric-or-xor"},
      {replaced(text, "\"symmetric-or-xor\": false", "\"symmetric-or-xor\": null"),
       "line 6: \"symmetric-or-xor\" is neither true nor false"},
      {text.substr(0, text.size() / 2), "line 4: not valid JSON from here on"},
      {replaced(text, "\"toeplitz\",", "toeplitz,"), "line 5: not valid JSON from here on"},
      {std::string(100000, '['), "line 1: not valid JSON from here on"},
      {std::string(100000, '[') + std::string(100000, ']'), "line 1: JSON, but not the output of ethtool --json -x"},
  };
  for (const auto& [input, error] : cases) {
    CHECK(error_of(input) == error);
  }
}

TEST_CASE("JSON gives the transformation that is on") {
  const auto rss =
      value_of(parse_ethtool_x(replaced(good_json(), "\"symmetric-xor\": false", "\"symmetric-xor\": true")));
  CHECK(rss.transform == InputTransform::symmetric_xor);
}

TEST_CASE("zeros for key and table are what a driver shows that doesn't know them") {
  std::string zeros = "00";
  for (int i = 1; i < 40; ++i) {
    zeros += ":00";
  }
  const auto zero_key = replaced(good_text(), kVirtioKey, zeros);
  CHECK(error_of(zero_key) == "line 19: no hash key (all bytes are zero)");
  std::string rows;
  for (int row = 0; row < 128; row += 8) {
    rows += std::to_string(row) + ": 0 0 0 0 0 0 0 0\n";
  }
  const auto first = zero_key.find("    0:");
  const auto zero_table = zero_key.substr(0, first) + rows + zero_key.substr(zero_key.find("RSS hash key"));
  CHECK(error_of(zero_table) == "line 17: no indirection table (all of it and of the key is zero)");
  // A NIC that was told to use queue 0 alone has zeros in its table only.
  const auto one_queue = good_text().substr(0, first) + rows + good_text().substr(good_text().find("RSS hash key"));
  CHECK(value_of(parse_ethtool_x(one_queue)).queue_count() == 1);
}

TEST_CASE("an interface name can't bring control characters to the screen") {
  auto rss = value_of(read_ethtool(replaced(good_text(), "for eth0 with", "for e\x1b[2Jth0\xff with")));
  CHECK(rss.interface_name == "e?[2Jth0?");
  rss = value_of(read_ethtool(replaced(good_json(), "\"eth0\"", "\"e\\u001b[2Jth0\"")));
  CHECK(rss.interface_name == "e?[2Jth0");
}

TEST_CASE("what contradicts itself or is not understood becomes a note") {
  auto rss = value_of(read_ethtool(replaced(good_text(), "with 4 RX", "with 3 RX")));
  CHECK(rss.notes == std::vector<std::string>{"the table names queue 3, and its heading has only 3 rings"});
  rss = value_of(read_ethtool(good_text() + "RSS flow label:\n    on: yes\n"));
  CHECK(rss.notes == std::vector<std::string>{"line 27 is not understood and was left out: \"RSS flow label:\""});
  CHECK(rss.config == value_of(parse_ethtool_x(good_text())));
}

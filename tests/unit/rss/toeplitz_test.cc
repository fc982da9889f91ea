// The Toeplitz hash against the published verification table and against itself.
#include "volley/rss/toeplitz.h"

#include <nlohmann/json.hpp>

#include "room_test.h"
#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

std::uint32_t hash_value(const nlohmann::json& text) {
  return static_cast<std::uint32_t>(std::stoul(text.get<std::string>(), nullptr, 16));
}

std::vector<std::uint8_t> key_bytes(const nlohmann::json& hex) {
  return parse_hex_key(hex.get<std::string>());
}

std::uint32_t hash_with(const std::vector<std::uint8_t>& key, const wire::Flow& flow, HashFields fields,
                        InputTransform transform = InputTransform::none) {
  RssConfig config;
  config.key = key;
  config.transform = transform;
  config.tcp_fields = fields;
  const auto hash = hash_of(config, flow);
  const auto input = make_hash_input(flow, fields, transform);
  CHECK(ToeplitzTables(key).hash(input.view()) == hash);
  return hash;
}

}  // namespace

TEST_CASE("Toeplitz gives the published verification table, both hashes of all eight rows") {
  const auto data = nlohmann::json::parse(read_data("ms_rss_vectors.json"));
  REQUIRE(data["rows"].size() == 8);
  const auto key = key_bytes(data["key"]);
  REQUIRE(key.size() == 40);
  auto longer = key;
  longer.resize(52, 0xa5);
  for (const auto& row : data["rows"]) {
    const auto flow = flow_of(row["src"], row["src_port"], row["dst"], row["dst_port"]);
    CAPTURE(row.dump());
    CHECK(hash_with(key, flow, HashFields::addresses) == hash_value(row["hash_2tuple"]));
    CHECK(hash_with(key, flow, HashFields::addresses_and_ports) == hash_value(row["hash_4tuple"]));
    // Key bytes 41 to 52 are beyond what 36 bytes of input reach.
    CHECK(hash_with(longer, flow, HashFields::addresses_and_ports) == hash_value(row["hash_4tuple"]));
  }
}

TEST_CASE("Toeplitz under the input transformations gives the derived table") {
  const auto data = nlohmann::json::parse(read_data("derived_vectors.json"));
  REQUIRE(data.size() == 16);
  const std::pair<const char*, InputTransform> transforms[] = {{"plain", InputTransform::none},
                                                               {"symmetric_xor", InputTransform::symmetric_xor},
                                                               {"symmetric_or_xor", InputTransform::symmetric_or_xor}};
  for (const auto& row : data) {
    CAPTURE(row.dump());
    const auto key = key_bytes(row["key"]);
    const auto flow = flow_of(row["src"], row["sport"], row["dst"], row["dport"]);
    for (const auto& [name, transform] : transforms) {
      const std::string prefix = name;
      CHECK(hash_with(key, flow, HashFields::addresses, transform) == hash_value(row[prefix + "_2"]));
      CHECK(hash_with(key, flow, HashFields::addresses_and_ports, transform) == hash_value(row[prefix + "_4"]));
      CHECK(hash_with(key, reversed(flow), HashFields::addresses_and_ports, transform) ==
            hash_value(row[prefix + "_4_reversed"]));
    }
  }
}

TEST_CASE("Toeplitz is linear over GF(2)") {
  Draw draw;
  for (int round = 0; round < 500; ++round) {
    const auto key = draw.bytes(40);
    const auto a = draw.bytes(36);
    const auto b = draw.bytes(36);
    std::vector<std::uint8_t> sum(36);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] = static_cast<std::uint8_t>(a[i] ^ b[i]);
    }
    CHECK((toeplitz_hash(key, a) ^ toeplitz_hash(key, b)) == toeplitz_hash(key, sum));
  }
  CHECK(toeplitz_hash(draw.bytes(40), std::vector<std::uint8_t>(36)) == 0);
}

TEST_CASE("Toeplitz by tables equals Toeplitz by bits, for any length of key and input") {
  Draw draw;
  for (const std::size_t key_size : {0U, 1U, 4U, 16U, 39U, 40U, 44U, 52U, 256U}) {
    const auto key = draw.bytes(key_size);
    const ToeplitzTables tables(key);
    for (std::size_t size = 0; size <= kMaxHashInputBytes; ++size) {
      const auto input = draw.bytes(size);
      CAPTURE(key_size, size);
      CHECK(tables.hash(input) == toeplitz_hash(key, input));
    }
  }
}

TEST_CASE("Toeplitz takes key bits beyond the end as zero") {
  Draw draw;
  auto key = draw.bytes(20);
  const auto input = draw.bytes(36);
  const auto hash = toeplitz_hash(key, input);
  key.resize(40);
  CHECK(toeplitz_hash(key, input) == hash);
}

TEST_CASE("the 6d5a key hashes both directions alike and has 16 bits of entropy") {
  Draw draw;
  const auto known = find_known_key("symmetric-6d5a")->bytes;
  const std::vector<std::uint8_t> key(known.begin(), known.end());
  for (const auto family : {wire::IpFamily::v4, wire::IpFamily::v6}) {
    for (int round = 0; round < 1000; ++round) {
      const auto flow = draw.flow(family);
      const auto hash = hash_with(key, flow, HashFields::addresses_and_ports);
      CHECK(hash == hash_with(key, reversed(flow), HashFields::addresses_and_ports));
      CHECK((hash >> 16U) == (hash & 0xffffU));
      // The two symmetries together leave nothing.
      CHECK(hash_with(key, flow, HashFields::addresses_and_ports, InputTransform::symmetric_xor) == 0);
    }
  }
}

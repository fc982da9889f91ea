// Published keys by name and by value, and keys as text.
#include "volley/rss/known_keys.h"

#include "room_test.h"

using namespace volley::rss;
using namespace volley::rss::testing;

namespace {

const std::string kMicrosoftHex = "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c6a42b73bbeac01fa";

std::string error_of(std::string_view text) {
  return std::get<std::string>(parse_key(text));
}

}  // namespace

TEST_CASE("each published key is found by its name and named by its value") {
  REQUIRE(known_keys().size() == 5);
  for (const auto& known : known_keys()) {
    CAPTURE(known.name);
    CHECK(known.bytes.size() == 40);
    CHECK_FALSE(known.users.empty());
    CHECK(find_known_key(known.name) == &known);
    CHECK(name_of_key(known.bytes) == known.name);
    std::vector<std::uint8_t> longer(known.bytes.begin(), known.bytes.end());
    longer.resize(52, 1);
    CHECK(name_of_key(longer) == known.name);
    CHECK(is_symmetric_key(known.bytes) == (known.name == "symmetric-6d5a"));
    const auto parsed = value_of(parse_key(known.name));
    CHECK(parsed.name == known.name);
    CHECK(std::equal(known.bytes.begin(), known.bytes.end(), parsed.bytes.begin(), parsed.bytes.end()));
  }
  CHECK(find_known_key("Microsoft") == nullptr);
  CHECK(name_of_key(std::vector<std::uint8_t>(40, 7)).empty());
  CHECK(name_of_key({}).empty());
}

TEST_CASE("the ena-fixed key is the Microsoft key with its 32-bit words in reverse order") {
  const auto microsoft = find_known_key("microsoft")->bytes;
  const auto ena = find_known_key("ena-fixed")->bytes;
  for (std::size_t word = 0; word < 10; ++word) {
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(ena[4 * word + i] == microsoft[4 * (9 - word) + i]);
    }
  }
}

TEST_CASE("a key is read with colons, without, and in capitals") {
  const auto plain = value_of(parse_key(kMicrosoftHex));
  CHECK(plain.name == "microsoft");
  CHECK(plain.bytes.size() == 40);
  std::string colons;
  for (std::size_t i = 0; i < kMicrosoftHex.size(); i += 2) {
    colons += (i == 0 ? "" : ":") + kMicrosoftHex.substr(i, 2);
  }
  CHECK(value_of(parse_key(" " + colons + "\r\n")) == plain);
  auto capitals = colons;
  for (auto& c : capitals) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  CHECK(value_of(parse_key(capitals)) == plain);
  CHECK(value_of(parse_key(std::string(104, '7'))).bytes == std::vector<std::uint8_t>(52, 0x77));
}

TEST_CASE("a text that is no key gets the reason") {
  CHECK(error_of("mircosoft") ==
        "\"mircosoft\" is neither hexadecimal bytes nor one of microsoft, symmetric-6d5a, dpdk-mlx5, atlantic, "
        "ena-fixed");
  CHECK(error_of("6d:5a") == "a key of 2 bytes, and a key has 40 to 256");
  CHECK(error_of(std::string(78, 'a')) == "a key of 39 bytes, and a key has 40 to 256");
  CHECK(error_of(std::string(514, 'a')) == "a key of 257 bytes, and a key has 40 to 256");
  for (const std::string bad : {"", "6d5", "6d:5a:", "6d::5a", ":6d5a", "6d5g", "6d 5a", "0x6d5a"}) {
    CAPTURE(bad);
    CHECK(error_of(bad).find("is neither hexadecimal bytes nor one of") != std::string::npos);
  }
}

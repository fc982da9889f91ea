// Flows and data files for the tests of this room.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "volley/rss/config.h"
#include "volley/rss/indirection_table.h"
#include "volley/wire/address.h"
#include "volley/wire/flow.h"

namespace volley::rss::testing {

inline std::string read_data(const std::string& name) {
  std::ifstream file("tests/data/" + name, std::ios::binary);
  INFO("tests/data/" << name);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline wire::Flow flow_of(const std::string& source, std::uint16_t source_port, const std::string& destination,
                          std::uint16_t destination_port, wire::IpProtocol protocol = wire::IpProtocol::tcp) {
  return {wire::parse_address(source).value(), wire::parse_address(destination).value(), source_port, destination_port,
          protocol};
}

inline RssConfig config_of(std::vector<std::uint8_t> key, std::size_t queues, std::size_t entries = 128) {
  RssConfig config;
  config.key = std::move(key);
  config.table = default_table(entries, queues, TableFill::modulo);
  return config;
}

// Seeded: every run draws the same.
class Draw {
 public:
  std::vector<std::uint8_t> bytes(std::size_t count) {
    std::vector<std::uint8_t> out(count);
    for (auto& byte : out) {
      byte = static_cast<std::uint8_t>(engine_());
    }
    return out;
  }
  std::uint16_t port() { return static_cast<std::uint16_t>(engine_()); }
  wire::Flow flow(wire::IpFamily family, wire::IpProtocol protocol = wire::IpProtocol::tcp) {
    wire::Flow flow;
    flow.source.family = flow.destination.family = family;
    const std::size_t size = flow.source.bytes().size();
    for (auto* address : {&flow.source, &flow.destination}) {
      const auto drawn = bytes(size);
      std::copy(drawn.begin(), drawn.end(), address->octets.begin());
    }
    flow.source_port = port();
    flow.destination_port = port();
    flow.protocol = protocol;
    return flow;
  }

 private:
  std::mt19937 engine_{20240229};
};

// The value of a result that must not be an error; a copy, the result may be a temporary.
template <typename Value, typename Error>
Value value_of(const std::variant<Value, Error>& result) {
  if (const auto* error = std::get_if<1>(&result)) {
    if constexpr (std::is_same_v<Error, std::string>) {
      FAIL(*error);
    } else {
      FAIL(to_string(*error));
    }
  }
  return std::get<0>(result);
}

}  // namespace volley::rss::testing

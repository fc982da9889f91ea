// Quantities as users write them.
#include "volley/app/quantity.h"

#include <catch2/catch.hpp>

namespace {

using namespace volley::app;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

TEST_CASE("times take a unit, and a bare number is seconds") {
  CHECK(parse_time("10") == 10s);
  CHECK(parse_time("0.5") == 500ms);
  CHECK(parse_time("250us") == 250us);
  CHECK(parse_time("1.5ms") == 1500us);
  CHECK(parse_time("2m") == 120s);
  CHECK(parse_time("1h") == 3600s);
  CHECK(parse_time("7ns") == 7ns);
  CHECK(parse_time("0") == 0s);
  CHECK(parse_time("0.0000000001") == 1ns);  // not zero, which means without end
}

TEST_CASE("what is no time is refused as a whole") {
  for (const char* text :
       {"", "s", "-1", "+1s", "1e3s", "1,5s", "10 s", "1d", "nan", "inf", "0x10s", "1ss", "9999999h"}) {
    CHECK_THROWS_AS(parse_time(text), BadQuantity);
  }
}

TEST_CASE("whole numbers keep to their range") {
  CHECK(parse_whole("0", 0, 9) == 0);
  CHECK(parse_whole("0x1F", 0, 31) == 31);
  CHECK(parse_whole("18446744073709551615", 0, ~std::uint64_t{0}) == ~std::uint64_t{0});
  for (const char* text : {"10", "-1", "", "1.0", "0x", "18446744073709551616", " 1"}) {
    CHECK_THROWS_AS(parse_whole(text, 0, 9), BadQuantity);
  }
  CHECK_THROWS_WITH(parse_whole("x", 1, 255), "'x' is not a whole number from 1 to 255");
}

TEST_CASE("rates are above zero") {
  CHECK(parse_rate("0.5") == 0.5);
  CHECK(parse_rate("20k") == 20000.0);
  CHECK(parse_rate("1.5M") == 1.5e6);
  for (const char* text : {"0", "-5", "fast", "1kk", "1e99", ""}) CHECK_THROWS_AS(parse_rate(text), BadQuantity);
}

TEST_CASE("port lists keep their order and take each port once") {
  CHECK(parse_port_list("80,443,8000-8003") == std::vector<std::uint16_t>{80, 443, 8000, 8001, 8002, 8003});
  CHECK(parse_port_list("81,80,81") == std::vector<std::uint16_t>{81, 80});
  CHECK(parse_port_list("1-65535").size() == 65535);
  for (const char* text : {"", "0", "65536", "80,", ",80", "90-80", "a", "80-", "-80", "80 443"}) {
    CHECK_THROWS_AS(parse_port_list(text), BadQuantity);
  }
}

TEST_CASE("TCP flags are letters, names or a number") {
  CHECK(parse_tcp_flags("S") == 0x02);
  CHECK(parse_tcp_flags("SA") == 0x12);
  CHECK(parse_tcp_flags("sa") == 0x12);
  CHECK(parse_tcp_flags("syn,ack") == 0x12);
  CHECK(parse_tcp_flags("FIN") == 0x01);
  CHECK(parse_tcp_flags("0x29") == 0x29);
  for (const char* text : {"", "X", "syn,", "0x100", "S A"}) CHECK_THROWS_AS(parse_tcp_flags(text), BadQuantity);
}

TEST_CASE("hexadecimal bytes come whole") {
  CHECK(parse_hex_bytes("0a1B2c") == std::vector<std::uint8_t>{0x0a, 0x1b, 0x2c});
  CHECK(parse_hex_bytes("6d:5a") == std::vector<std::uint8_t>{0x6d, 0x5a});
  CHECK(parse_hex_bytes("0xff") == std::vector<std::uint8_t>{0xff});
  for (const char* text : {"", "a", "abc", "zz", "0x", "a:b"}) CHECK_THROWS_AS(parse_hex_bytes(text), BadQuantity);
}

}  // namespace

// Quantities as a user writes them: times, rates, whole numbers, port lists.
//
// Pure; any thread. Each function throws BadQuantity, whose text says what was
// expected, for anything it can't read as a whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace volley::app {

class BadQuantity : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "250us", "1.5ms", "10s", "2m", "1h"; a bare number is seconds, as in ping.
// Zero is allowed, negative values are not; at most 10 years.
std::chrono::nanoseconds parse_time(std::string_view text);

// A whole number in [low, high], decimal, or hexadecimal after 0x.
std::uint64_t parse_whole(std::string_view text, std::uint64_t low, std::uint64_t high);

// Probes per second: a number above 0, "20k" and "1.5M" included.
double parse_rate(std::string_view text);

// "80,443,8000-8010": ports 1 to 65535 in the order given, each once.
std::vector<std::uint16_t> parse_port_list(std::string_view text);

// "S", "SA", "syn,ack", "0x12": the TCP flag byte (letters as hping has them:
// F S R P A U, and E, C for ECE and CWR).
std::uint8_t parse_tcp_flags(std::string_view text);

// Hexadecimal bytes, with or without colons or a leading 0x.
std::vector<std::uint8_t> parse_hex_bytes(std::string_view text);

}  // namespace volley::app

// Wording of plans. Pure; any thread.
#include "volley/probe/plan_text.h"

#include <array>
#include <charconv>

namespace volley::probe {

std::string plain_number(double value) {
  std::array<char, 512> buffer{};  // fixed notation of the largest double has 309 digits
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, 3).ptr;
  std::string text(buffer.data(), end);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

std::string rate_text(double rate_pps) {
  return plain_number(rate_pps) + "/s";
}

std::string duration_text(std::chrono::nanoseconds duration) {
  const auto ns = static_cast<double>(duration.count());
  if (duration >= std::chrono::seconds(1)) {
    return plain_number(ns / 1e9) + " s";
  }
  return duration >= std::chrono::milliseconds(1) ? plain_number(ns / 1e6) + " ms" : plain_number(ns / 1e3) + " us";
}

std::string_view protocol_name(Protocol protocol) {
  switch (protocol) {
    case Protocol::tcp:
      return "tcp";
    case Protocol::udp:
      return "udp";
    case Protocol::icmp:
      return "icmp";
  }
  return "";
}

std::string destination_text(const Destination& destination) {
  const std::string address = wire::to_string(destination.address);
  if (destination.port == 0) {
    return address;
  }
  const std::string port = ":" + std::to_string(destination.port);
  return destination.address.is_v6() ? "[" + address + "]" + port : address + port;
}

std::string count_text(std::uint64_t count, std::string_view singular) {
  return std::to_string(count) + " " + std::string(singular) + (count == 1 ? "" : "s");
}

}  // namespace volley::probe

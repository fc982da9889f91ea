// Fuzz target: times, rates, numbers, port lists, flags and bytes of the command line.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "volley/app/quantity.h"

namespace {

template <typename Parse>
void attempt(Parse parse) {
  try {
    parse();
  } catch (const volley::app::BadQuantity&) {
    // Refused: the user gets the reason.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace app = volley::app;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    if (app::parse_time(text).count() < 0) __builtin_trap();
  });
  attempt([&] {
    if (!(app::parse_rate(text) > 0)) __builtin_trap();
  });
  attempt([&] {
    if (app::parse_whole(text, 5, 70000) < 5) __builtin_trap();
  });
  attempt([&] {
    for (const std::uint16_t port : app::parse_port_list(text)) {
      if (port == 0) __builtin_trap();
    }
  });
  attempt([&] { app::parse_tcp_flags(text); });
  attempt([&] { app::parse_hex_bytes(text); });
  return 0;
}

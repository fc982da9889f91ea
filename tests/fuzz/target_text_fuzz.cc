// Fuzz target: TARGET arguments and target files.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "volley/app/quantity.h"
#include "volley/app/target_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const auto& target : volley::app::parse_target_lines(text)) {
      if (target.host.empty()) __builtin_trap();
    }
  } catch (const volley::app::BadQuantity&) {
    // Refused: the user gets the reason.
  }
  return 0;
}

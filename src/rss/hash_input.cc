// Collects the bytes that a NIC hashes; see the header. Pure; any thread.
#include "volley/rss/hash_input.h"

namespace volley::rss {
namespace {

// Appends two fields of equal width, source before destination, transformed.
void append_pair(HashInput& input, std::span<const std::uint8_t> source, std::span<const std::uint8_t> destination,
                 InputTransform transform) {
  const std::size_t width = source.size();
  const auto out = std::span<std::uint8_t>(input.bytes).subspan(input.size, 2 * width);
  for (std::size_t i = 0; i < width; ++i) {
    const auto s = source[i];
    const auto d = destination[i];
    const auto either = static_cast<std::uint8_t>(s | d);
    const auto difference = static_cast<std::uint8_t>(s ^ d);
    switch (transform) {
      case InputTransform::none:
        out[i] = s;
        out[width + i] = d;
        break;
      case InputTransform::symmetric_xor:
        out[i] = difference;
        out[width + i] = difference;
        break;
      case InputTransform::symmetric_or_xor:
        out[i] = either;
        out[width + i] = difference;
        break;
    }
  }
  input.size += 2 * width;
}

std::array<std::uint8_t, 2> network_order(std::uint16_t port) {
  return {static_cast<std::uint8_t>(port >> 8U), static_cast<std::uint8_t>(port & 0xffU)};
}

}  // namespace

HashInput make_hash_input(const wire::Flow& flow, HashFields fields, InputTransform transform) {
  HashInput input;
  if (fields == HashFields::none || flow.source.family != flow.destination.family) {
    return input;
  }
  append_pair(input, flow.source.bytes(), flow.destination.bytes(), transform);
  if (fields == HashFields::addresses_and_ports) {
    append_pair(input, network_order(flow.source_port), network_order(flow.destination_port), transform);
  }
  return input;
}

}  // namespace volley::rss

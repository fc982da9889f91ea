// Asks the kernel over rtnetlink, and reads its answers' attributes.
//
// A NetlinkSocket belongs to one thread. Attribute reading is pure and bounds-
// checked: it never reads outside the span.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "volley/wire/address.h"

namespace volley::net {

// One message of an answer: its type, fixed part and attributes together.
struct NetlinkMessage {
  std::uint16_t type = 0;
  std::vector<std::uint8_t> payload;  // behind the nlmsghdr
};

class NetlinkSocket {
 public:
  NetlinkSocket();  // throws SetupError
  ~NetlinkSocket();
  NetlinkSocket(const NetlinkSocket&) = delete;
  NetlinkSocket& operator=(const NetlinkSocket&) = delete;

  // Sends one request (`flags` beside NLM_F_REQUEST) and gathers the answer,
  // of a dump all parts. Returns 0 or the errno that the kernel answered.
  int ask(std::uint16_t type, std::uint16_t flags, std::span<const std::uint8_t> payload,
          std::vector<NetlinkMessage>& answer);

 private:
  int descriptor_ = -1;
  std::uint32_t sequence_ = 0;
};

// Attributes by type; `attributes` begins at the first one. Of repeated ones the last.
class NetlinkAttributes {
 public:
  explicit NetlinkAttributes(std::span<const std::uint8_t> attributes) : bytes_(attributes) {}

  std::optional<std::span<const std::uint8_t>> find(std::uint16_t type) const;
  std::optional<std::uint32_t> number(std::uint16_t type) const;
  std::string text(std::uint16_t type) const;  // empty if absent
  std::optional<wire::IpAddress> address(std::uint16_t type) const;

 private:
  std::span<const std::uint8_t> bytes_;
};

// Appends an attribute with its padding.
void append_attribute(std::vector<std::uint8_t>& message, std::uint16_t type, std::span<const std::uint8_t> value);

}  // namespace volley::net

// Names and address texts to addresses.
//
// Answers keep the resolver's order (RFC 6724 with this host's policy), so the
// first is the one that any program would use. Blocks for as long as the name
// service takes; main thread, while a run is set up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volley/wire/address.h"

namespace volley::net {

enum class FamilyPreference : std::uint8_t { any, v4, v6 };  // any, -4, -6

struct ResolvedAddress {
  wire::IpAddress address;
  std::uint32_t scope_id = 0;  // interface index of fe80::1%eth0, else 0

  friend bool operator==(const ResolvedAddress&, const ResolvedAddress&) = default;
};

// `host` is a name, a dotted quad or IPv6 text with or without %zone, without
// brackets. All addresses without repeats, at least one; throws SetupError
// ("web77: no address found (name server: no such host)").
std::vector<ResolvedAddress> resolve(const std::string& host, FamilyPreference family);

}  // namespace volley::net

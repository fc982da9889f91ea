// Whose packet is it: from addresses and port to the destination's index, and
// which source ports are this run's.
//
// Immutable once made; any thread. Looking up neither allocates nor throws.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "volley/probe/plan.h"
#include "volley/wire/address.h"

namespace volley::probe {

class Endpoints {
 public:
  explicit Endpoints(const ProbePlan& plan);

  // The destination that `local` probes at `remote`, `remote_port` (0 for ICMP).
  std::optional<std::uint32_t> find(const wire::IpAddress& local, const wire::IpAddress& remote,
                                    std::uint16_t remote_port) const;

  bool owns_port(std::uint16_t port) const { return owned_[port]; }

  // A destination on this host: its frames are seen once, and may be both.
  bool is_self(std::uint32_t destination) const { return is_self_[destination]; }

 private:
  struct Entry {
    wire::IpAddress local;
    wire::IpAddress remote;
    std::uint16_t port = 0;
    std::uint32_t destination = 0;
    bool is_used = false;
  };

  std::size_t first_slot(const wire::IpAddress& remote, std::uint16_t remote_port) const;

  std::vector<Entry> entries_;  // open addressing, at most half full, a power of two
  std::vector<bool> owned_;     // by port
  std::vector<bool> is_self_;   // by destination
};

}  // namespace volley::probe

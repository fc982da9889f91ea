// Look-up of destinations by address and port. Immutable; any thread.
#include "volley/probe/endpoints.h"

#include <bit>

#include "volley/probe/generator.h"

namespace volley::probe {

namespace {

constexpr std::size_t kPorts = 65536;

}  // namespace

Endpoints::Endpoints(const ProbePlan& plan)
    : entries_(std::bit_ceil(2 * plan.destinations.size() + 1)), owned_(kPorts) {
  for (const std::uint16_t port : plan.source_ports) {
    owned_[port] = true;
  }
  for (std::uint32_t i = 0; i < plan.destinations.size(); ++i) {
    const Destination& to = plan.destinations[i];
    is_self_.push_back(to.source == to.address);
    std::size_t slot = first_slot(to.address, to.port);
    while (entries_[slot].is_used) {
      slot = (slot + 1) & (entries_.size() - 1);
    }
    entries_[slot] = {to.source, to.address, to.port, i, true};
  }
}

std::size_t Endpoints::first_slot(const wire::IpAddress& remote, std::uint16_t remote_port) const {
  std::uint64_t hash = remote_port;
  for (const std::uint8_t octet : remote.bytes()) {
    hash = hash * 0x100000001b3U + octet;  // FNV-1a's prime
  }
  return mix64(hash) & (entries_.size() - 1);
}

std::optional<std::uint32_t> Endpoints::find(const wire::IpAddress& local, const wire::IpAddress& remote,
                                             std::uint16_t remote_port) const {
  for (std::size_t slot = first_slot(remote, remote_port); entries_[slot].is_used;
       slot = (slot + 1) & (entries_.size() - 1)) {
    const Entry& entry = entries_[slot];
    if (entry.port == remote_port && entry.remote == remote && entry.local == local) {
      return entry.destination;
    }
  }
  return std::nullopt;
}

}  // namespace volley::probe

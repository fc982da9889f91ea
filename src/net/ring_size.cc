// The sizes of the capture rings. Pure; any thread.
#include "volley/net/ring_size.h"

#include <algorithm>
#include <cmath>

namespace volley::net {

namespace {

// The receiver thread may be kept from its CPU this long without a frame lost:
// a busy neighbour, a slow disk, a stopped virtual machine.
constexpr double kStallCovered = 0.5;
// What even a divided budget must cover, with all arrivals in one queue (as with
// ICMP); at higher rates the queues share the work.
constexpr double kShortestStall = 0.04;
constexpr double kDepartureFrames = 2;  // a probe, and our kernel's reset
constexpr double kArrivalFrames = 1.5;  // a reply, and some resent or duplicated
constexpr double kLowRate = 1000;
constexpr double kHighRate = 20000;
// A run as fast as the machine goes: raw sockets against a kernel that answers
// were measured at 72,000 to 97,000/s on one core.
constexpr double kUnlimitedRate = 100000;
constexpr double kMegabyte = 1 << 20;
constexpr double kLowBudget = 8 * kMegabyte;
constexpr double kHighBudget = 32 * kMegabyte;
constexpr double kLargestBudget = 128 * kMegabyte;
constexpr double kDepartureShare = 0.35;
constexpr double kArrivalShare = 0.6;  // the rest is the elsewhere ring's
constexpr double kPage = 4096;
constexpr double kFewestSlots = 256;

double budget_bytes(double rate) {
  if (rate <= kLowRate) return kLowBudget;
  if (rate <= kHighRate) {
    return kLowBudget + (kHighBudget - kLowBudget) * (rate - kLowRate) / (kHighRate - kLowRate);
  }
  return std::min(kLargestBudget, kHighBudget * rate / kHighRate);
}

std::size_t whole_pages(double bytes) {
  return static_cast<std::size_t>(std::ceil(bytes / kPage) * kPage);
}

}  // namespace

std::size_t RingSizes::total_bytes(const RingRequest& request) const {
  return request.interfaces * (departures_bytes + request.queue_rings * arrivals_bytes) + elsewhere_bytes;
}

RingSizes size_rings(const RingRequest& request) {
  const double rate = request.rate_pps > 0 ? request.rate_pps : kUnlimitedRate;
  const double budget = budget_bytes(rate);
  const double slot = request.slot_bytes;
  const double interfaces = request.interfaces;
  const double rings = interfaces * request.queue_rings;
  const double fewest = kFewestSlots * slot;
  const auto share = [budget](double part) { return std::floor(budget * part / kPage) * kPage; };
  const auto wanted = [&](double frames_per_probe, double seconds) { return rate * frames_per_probe * seconds * slot; };

  RingSizes sizes;
  sizes.departures_bytes = whole_pages(
      std::max(fewest, std::min(wanted(kDepartureFrames, kStallCovered), share(kDepartureShare / interfaces))));
  const double arrivals = std::min(wanted(kArrivalFrames, kStallCovered), share(kArrivalShare / rings));
  const double shortest = std::max(fewest, std::min(rate, kHighRate) * kArrivalFrames * kShortestStall * slot);
  sizes.arrivals_bytes = whole_pages(std::max(shortest, arrivals));
  const double elsewhere = share(1 - kDepartureShare - kArrivalShare);
  sizes.elsewhere_bytes = whole_pages(std::max(fewest, std::min(wanted(kArrivalFrames, kStallCovered), elsewhere)));
  sizes.is_within_budget = static_cast<double>(sizes.total_bytes(request)) <= budget;
  return sizes;
}

}  // namespace volley::net

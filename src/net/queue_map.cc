// Which drivers record the receive queue, and how. Pure; any thread.
#include "volley/net/queue_map.h"

#include <algorithm>
#include <array>

namespace volley::net {

namespace {

// Names as ethtool gives them. They call skb_record_rx_queue() in their receive
// path; virtio_net and tun measured, the others by their source.
constexpr std::array<std::string_view, 25> kRecording{
    "virtio_net", "tun",       "ixgbe",   "ixgbevf", "i40e",  "ice",  "iavf",    "igb",  "igc",
    "fm10k",      "mlx5_core", "mlx4_en", "bnxt_en", "bnx2x", "ena",  "gve",     "mana", "ionic",
    "hv_netvsc",  "vmxnet3",   "qede",    "sfc",     "nfp",   "hns3", "atlantic"};

}  // namespace

QueueMapping queue_mapping_of(std::string_view driver) {
  if (driver == "veth") return QueueMapping::queue;
  const bool is_recording = std::find(kRecording.begin(), kRecording.end(), driver) != kRecording.end();
  return is_recording ? QueueMapping::queue_plus_one : QueueMapping::unknown;
}

std::uint32_t fanout_members(QueueMapping mapping, std::uint32_t queues) {
  switch (mapping) {
    case QueueMapping::unknown:
      return 0;
    case QueueMapping::queue:
      return queues;
    case QueueMapping::queue_plus_one:
      return queues + 1;  // member 0 gets what was not recorded
  }
  return 0;
}

std::optional<rss::QueueId> queue_of_member(QueueMapping mapping, std::uint32_t member) {
  switch (mapping) {
    case QueueMapping::unknown:
      return std::nullopt;
    case QueueMapping::queue:
      return static_cast<rss::QueueId>(member);
    case QueueMapping::queue_plus_one:
      if (member == 0) return std::nullopt;
      return static_cast<rss::QueueId>(member - 1);
  }
  return std::nullopt;
}

}  // namespace volley::net

// What a packet's raw queue mapping says about the receive queue it came by.
//
// Drivers that call skb_record_rx_queue() store the queue plus one, 0 meaning
// "not recorded"; veth leaves the queue itself there (both measured). Which it
// is depends on the driver alone. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "volley/rss/config.h"

namespace volley::net {

enum class QueueMapping : std::uint8_t { unknown, queue, queue_plus_one };

QueueMapping queue_mapping_of(std::string_view driver);

// Members that a packet fanout group by queue mapping needs so that each of
// `queues` receive queues has a member of its own; 0 for an unknown mapping.
std::uint32_t fanout_members(QueueMapping mapping, std::uint32_t queues);

// The queue whose packets the group's member gets; nullopt: not recorded.
std::optional<rss::QueueId> queue_of_member(QueueMapping mapping, std::uint32_t member);

}  // namespace volley::net

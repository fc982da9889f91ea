// Tests which member of a fanout group stands for which queue.
#include "volley/net/queue_map.h"

#include <catch2/catch.hpp>

using namespace volley::net;

TEST_CASE("drivers that record the queue plus one", "[net]") {
  const auto mapping = queue_mapping_of("virtio_net");
  CHECK(mapping == QueueMapping::queue_plus_one);
  CHECK(fanout_members(mapping, 4) == 5);
  CHECK_FALSE(queue_of_member(mapping, 0));
  for (std::uint32_t raw = 1; raw <= 4; ++raw) CHECK(queue_of_member(mapping, raw) == raw - 1);
}

TEST_CASE("veth leaves the queue itself", "[net]") {
  const auto mapping = queue_mapping_of("veth");
  CHECK(mapping == QueueMapping::queue);
  CHECK(fanout_members(mapping, 4) == 4);
  for (std::uint32_t raw = 0; raw < 4; ++raw) CHECK(queue_of_member(mapping, raw) == raw);
}

TEST_CASE("of an unknown driver no queue is claimed", "[net]") {
  for (const char* driver : {"", "no_such_driver", "bridge"}) {
    CHECK(queue_mapping_of(driver) == QueueMapping::unknown);
  }
  CHECK(fanout_members(QueueMapping::unknown, 8) == 0);
  CHECK_FALSE(queue_of_member(QueueMapping::unknown, 1));
}

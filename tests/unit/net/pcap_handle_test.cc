// Tests the size of a ring's slot; handles need privileges: see the live tests.
#include "volley/net/pcap_handle.h"

#include <catch2/catch.hpp>

using volley::net::ring_slot_bytes;

TEST_CASE("a slot holds the frame and its header, aligned", "[net]") {
  for (std::uint32_t snap = 64; snap < 300; snap += 7) {
    CHECK(ring_slot_bytes(snap) % 16 == 0);
    CHECK(ring_slot_bytes(snap) >= snap + 68);
    CHECK(ring_slot_bytes(snap) <= snap + 112);
  }
}

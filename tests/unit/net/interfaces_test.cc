// Tests of device stacks and counter differences; the list itself is the kernel's.
#include "volley/net/interfaces.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "volley/net/error.h"

using namespace volley::net;

namespace {

Interface device(std::uint32_t index, std::uint32_t master, std::uint32_t link) {
  Interface interface;
  interface.index = index;
  interface.name = "d" + std::to_string(index);
  interface.master = master;
  interface.link = link;
  return interface;
}

}  // namespace

TEST_CASE("a stack is all that lies above or below", "[net]") {
  // Two NICs in a bond, a VLAN on it, a bridge over the VLAN; another NIC aside.
  const std::vector<Interface> interfaces{device(1, 0, 0),  device(2, 10, 0),   device(3, 10, 0), device(4, 0, 0),
                                          device(10, 0, 0), device(20, 30, 10), device(30, 0, 0)};
  using Indices = std::vector<std::uint32_t>;
  for (const std::uint32_t member : {10U, 20U, 30U}) {
    CHECK(stacked_with(interfaces, member) == Indices{2, 3, 10, 20, 30});
  }
  // The other NIC of the bond is neither above nor below.
  CHECK(stacked_with(interfaces, 2) == Indices{2, 10, 20, 30});
  CHECK(stacked_with(interfaces, 4) == std::vector<std::uint32_t>{4});
  CHECK(stacked_with({}, 7) == std::vector<std::uint32_t>{7});
}

TEST_CASE("counters that went back count as nothing", "[net]") {
  InterfaceCounters earlier{100, 100, 10, 5, 1, 1, 0, 0};
  InterfaceCounters later{150, 90, 12, 5, 2, 1, 3, 0};
  CHECK(difference(later, earlier) == InterfaceCounters{50, 0, 2, 0, 1, 0, 3, 0});
  CHECK(difference(later, earlier).rx_lost() == 3);
}

TEST_CASE("interfaces are found by name, or the error names them", "[net]") {
  const auto all = list_interfaces();
  REQUIRE_FALSE(all.empty());
  const auto loopback = std::find_if(all.begin(), all.end(), [](const Interface& each) { return each.is_loopback; });
  REQUIRE(loopback != all.end());
  CHECK(find_interface(loopback->name).index == loopback->index);
  CHECK(receive_queue_count(*loopback) >= 1);
  CHECK_NOTHROW(read_counters(loopback->index));
  CHECK_THROWS_WITH(find_interface("no-such-0"), Catch::Equals("interface no-such-0: no such interface"));
  CHECK_THROWS_AS(read_counters(0x7fffffff), SetupError);
  CHECK(driver_name("a-name-that-is-longer-than-any").empty());
}

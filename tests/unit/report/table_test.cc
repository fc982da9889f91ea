// Tables: alignment by what is seen, marks, narrow pages.
#include "volley/report/table.h"

#include <catch2/catch.hpp>

using namespace volley::report;

TEST_CASE("columns line up whatever stands in them", "[report][table]") {
  Table table({{"queue"}, {"loss"}, {"", Align::left}, {"rtt", Align::left}});
  table.add_row({"0", "0 %", "", "▁█"});
  table.add_row({"17", "5.0 %", "▇▇", "▁▅█"}, Style::bad, '!');
  table.add_row({"3"});
  Page page({.charset = Charset::utf8});
  table.write(page, 4);
  CHECK(page.take() ==
        "    queue    loss        rtt\n"
        "        0     0 %        ▁█\n"
        "  !    17   5.0 %   ▇▇   ▁▅█\n"
        "        3\n");
}

TEST_CASE("a table that is too wide closes up", "[report][table]") {
  Table table({{"aaaa"}, {"bbbb"}, {"cccc"}});
  table.add_row({"1", "2", "3"});
  Page page({.width = 18});
  table.write(page, 2);
  CHECK(page.take() ==
        "  aaaa  bbbb  cccc\n"
        "     1     2     3\n");
}

TEST_CASE("colour doesn't move a column", "[report][table]") {
  Table table({{"a"}, {"b"}});
  table.add_row({"1", "2"}, Style::bad, '!');
  Page page({.colour = true});
  table.write(page, 2);
  CHECK(page.take() ==
        "\x1b[2m  a   b\x1b[0m\n"
        "\x1b[1;31m! 1   2\x1b[0m\n");
}

TEST_CASE("on a page that is still too narrow the pictures go", "[report][table]") {
  Table table({{"aaaa"}, {"bar", Align::left, Need::if_wide}, {"cccc"}});
  table.add_row({"1", "######", "3"});
  Page page({.width = 14});
  table.write(page, 2);
  CHECK(page.take() ==
        "  aaaa  cccc\n"
        "     1     3\n");
}

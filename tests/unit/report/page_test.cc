// The page: widths, breaks, and text from outside on a terminal.
#include "volley/report/page.h"

#include <catch2/catch.hpp>

using namespace volley::report;

TEST_CASE("display width counts characters, not bytes or escapes", "[report][page]") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("▁▅█") == 3);
  CHECK(display_width("\x1b[1;31mbad\x1b[0m") == 3);
  CHECK(display_width("") == 0);
}

TEST_CASE("control characters and broken UTF-8 never reach a terminal", "[report][page]") {
  CHECK(printable("web7", Charset::ascii) == "web7");
  CHECK(printable("a\x1b[2Jb\r\n\t\x7f", Charset::utf8) == "a?[2Jb????");
  CHECK(printable("\xc2\x9b"
                  "2J",
                  Charset::utf8) == "?2J");
  CHECK(printable("m\xc3\xbcnchen", Charset::utf8) == "m\xc3\xbcnchen");
  CHECK(printable("m\xc3\xbcnchen", Charset::ascii) == "m?nchen");
  CHECK(printable("\xff\xfe", Charset::ascii) == "??");
  CHECK(printable("\xff", Charset::utf8) == "\xef\xbf\xbd");
  CHECK(printable("\xc3", Charset::utf8) == "\xef\xbf\xbd");
  CHECK(printable("\xc0\xaf", Charset::utf8) == "\xef\xbf\xbd\xef\xbf\xbd");  // overlong
  CHECK(printable("\xe0\x80\xaf", Charset::ascii) == "???");                  // overlong
  CHECK(printable("\xed\xa0\x80", Charset::ascii) == "???");                  // surrogate
  CHECK(printable("\xf4\x90\x80\x80", Charset::ascii) == "????");             // beyond U+10FFFF
  CHECK(printable("\xf0\x9f\x98\x80", Charset::utf8) == "\xf0\x9f\x98\x80");
}

TEST_CASE("labelled text breaks between words, below itself", "[report][page]") {
  Page page({.width = 30});
  page.labelled("note", "one two three four five six");
  CHECK(page.take() ==
        "  note     one two three four\n"
        "           five six\n");
}

TEST_CASE("fields break only between fields", "[report][page]") {
  Page page({.width = 30});
  page.labelled_fields("rtt ms", {"min 0.071", "p50 0.093", "max 1.322"});
  CHECK(page.take() ==
        "  rtt ms   min 0.071\n"
        "           p50 0.093\n"
        "           max 1.322\n");
}

TEST_CASE("a word that is longer than the page is not cut", "[report][page]") {
  Page page({.width = 10});
  page.paragraph(0, 2, "see /proc/net/softnet_stat now");
  CHECK(page.take() ==
        "see\n"
        "  /proc/net/softnet_stat\n"
        "  now\n");
}

TEST_CASE("no line ends in blanks, and blank lines come one at a time", "[report][page]") {
  Page page({});
  page.blank();
  page.line("a   ");
  page.blank();
  page.blank();
  page.line("   ");
  page.line("b");
  CHECK(page.take() == "a\n\n\nb\n");
}

TEST_CASE("style is written only where colour was asked for", "[report][page]") {
  CHECK(Page({}).styled(Style::bad, "x") == "x");
  CHECK(Page({.colour = true}).styled(Style::plain, "x") == "x");
  CHECK(Page({.colour = true}).styled(Style::bad, "x") == "\x1b[1;31mx\x1b[0m");
}

// The text report against golden pages. UPDATE_GOLDEN=1 writes them anew.
#include "volley/report/text.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "golden.h"
#include "samples.h"
#include "volley/report/page.h"

using namespace volley::report;

namespace {

constexpr TextOptions kPlain{};
constexpr TextOptions kUtf8{.charset = Charset::utf8};

}  // namespace

TEST_CASE("text report: pages as people see them", "[report][golden]") {
  golden::check("nothing_wrong.txt", to_text(samples::nothing_wrong().document(), kUtf8));
  golden::check("bad_queue.txt", to_text(samples::bad_queue().document(), kUtf8));
  golden::check("many_queues.txt", to_text(samples::many_queues().document(), kUtf8));
  golden::check("dead_target.txt", to_text(samples::dead_target().document(), kUtf8));
  golden::check("icmp_one_queue.txt", to_text(samples::icmp_one_queue().document(), kUtf8));
  golden::check("udp_one_queue.txt", to_text(samples::udp_one_queue().document(), kUtf8));
  golden::check("several_ports.txt", to_text(samples::several_ports().document(), kUtf8));
  golden::check("sixty_destinations.txt", to_text(samples::sixty_destinations().document(), kUtf8));
  golden::check("interrupted.txt", to_text(samples::interrupted().document(), kUtf8));
  golden::check("capture_drops.txt", to_text(samples::capture_drops().document(), kUtf8));
  golden::check("not_sent.txt", to_text(samples::not_sent().document(), kUtf8));
  golden::check("loopback.txt", to_text(samples::loopback().document(), kUtf8));
  golden::check("no_destination.txt", to_text(samples::no_destination().document(), kUtf8));
}

TEST_CASE("text report: the same pages in ASCII, colour, narrow, quiet and per port", "[report][golden]") {
  golden::check("bad_queue_ascii.txt", to_text(samples::bad_queue().document(), kPlain));
  golden::check("bad_queue_colour.txt",
                to_text(samples::bad_queue().document(), {.colour = true, .charset = Charset::utf8}));
  golden::check("bad_queue_narrow.txt", to_text(samples::bad_queue().document(), {.width = 80}));
  golden::check("bad_queue_quiet.txt", to_text(samples::bad_queue().document(), {.quiet = true}));
  golden::check("bad_queue_per_port.txt", to_text(samples::bad_queue().document(), {.per_port = true}));
}

TEST_CASE("text report: ASCII and UTF-8 say the same, colour adds only escapes", "[report][text]") {
  for (const auto& sample : {samples::bad_queue(), samples::interrupted(), samples::several_ports()}) {
    const std::string plain = to_text(sample.document(), kPlain);
    for (const char letter : plain) {
      const bool is_ascii = letter == '\n' || (letter >= ' ' && letter <= '~');
      REQUIRE(is_ascii);
    }
    std::string coloured = to_text(sample.document(), {.colour = true});
    CHECK(coloured != plain);
    for (std::size_t escape = coloured.find('\x1b'); escape != std::string::npos; escape = coloured.find('\x1b')) {
      coloured.erase(escape, coloured.find('m', escape) - escape + 1);
    }
    CHECK(coloured == plain);
  }
}

TEST_CASE("text report: no page is wider than asked for, but for commands", "[report][text]") {
  for (const auto& sample :
       {samples::nothing_wrong(), samples::bad_queue(), samples::many_queues(), samples::dead_target(),
        samples::icmp_one_queue(), samples::udp_one_queue(), samples::several_ports(), samples::sixty_destinations(),
        samples::interrupted(), samples::capture_drops(), samples::not_sent(), samples::loopback()}) {
    for (const std::size_t width : {80U, 90U, 100U}) {
      std::istringstream lines(to_text(sample.document(), {.charset = Charset::utf8, .width = width}));
      for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK((display_width(line) <= width || line.starts_with("  try ")));
      }
    }
  }
}

TEST_CASE("text report: a name from outside cannot command the terminal", "[report][text]") {
  samples::Sample sample = samples::bad_queue();
  sample.result.destinations.front().target = "web\x1b[2J\xff";
  sample.plan.rss_source = "\x1b]0;x\x07";
  sample.plan.destinations.front().interface_name = "\x1b[31m";
  sample.notes = {"\x1b[5m"};
  for (const Charset charset : {Charset::ascii, Charset::utf8}) {
    const std::string text = to_text(sample.document(), {.charset = charset, .per_port = true});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    CHECK(text.find('\xff') == std::string::npos);
  }
}

TEST_CASE("text report: capture drops make the loss an upper bound, on its line", "[report][text]") {
  const std::string text = to_text(samples::capture_drops().document(), kPlain);
  const std::size_t loss = text.find("  loss  ");
  REQUIRE(loss != std::string::npos);
  CHECK(text.substr(loss, text.find('\n', loss) - loss).find("upper bound: capture dropped 120 frames") !=
        std::string::npos);
}

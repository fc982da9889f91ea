// The text report against golden pages. UPDATE_GOLDEN=1 writes them anew.
#include "volley/report/text.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "golden.h"
#include "samples.h"

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

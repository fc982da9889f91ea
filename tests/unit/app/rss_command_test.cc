// `volley rss` from options to output and exit status.
#include "volley/app/rss_command.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "volley/rss/known_keys.h"

using namespace volley;
using namespace volley::app;

namespace {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

Outcome run(const RssCommandOptions& options, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = run_rss_command(options, in, out, err);
  return {status, out.str(), err.str()};
}

const std::string kFile = "tests/data/ethtool-real/virtio_net.ethtool-7.2.x.txt";

RssCommandOptions microsoft() {
  RssCommandOptions options;
  options.rss_key = "microsoft";
  options.rss_queues = 8;
  return options;
}

void check_error(const RssCommandOptions& options, const std::string& line, const std::string& input = "") {
  const auto outcome = run(options, input);
  CHECK(outcome.status == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "volley: " + line + "\n");
}

std::string content_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("rss explains a file, or standard input") {
  RssCommandOptions options;
  options.rss_source = kFile;
  const auto by_file = run(options);
  CHECK(by_file.status == 0);
  CHECK(by_file.err.empty());
  CHECK(by_file.out.starts_with("RSS of eth0 by " + kFile + "\n  function   toeplitz"));
  options.rss_source = "-";
  const auto by_input = run(options, content_of(kFile));
  CHECK(by_input.out.starts_with("RSS of eth0 by standard input\n"));
  CHECK(by_input.out.substr(by_input.out.find('\n')) == by_file.out.substr(by_file.out.find('\n')));
}

TEST_CASE("rss tells queues of flows from options and from a file") {
  auto options = microsoft();
  options.flows = {"66.9.149.187:2794>161.142.100.80:1766"};
  options.flows_file = "-";
  const auto outcome = run(options, "# more\n199.92.111.2:14230 > 65.69.140.83:4739\n");
  CHECK(outcome.status == 0);
  CHECK(outcome.out ==
        "queue  entry  hash        flow\n"
        "    0    120  0x51ccc178  66.9.149.187:2794>161.142.100.80:1766 tcp\n"
        "    2    106  0xc626b0ea  199.92.111.2:14230>65.69.140.83:4739 tcp\n");
}

TEST_CASE("rss lists source ports for a queue") {
  auto options = microsoft();
  options.queue = 3;
  options.from = "10.0.3.9";
  options.to = "10.0.3.7:443";
  options.source_ports = {40000, 40999};
  options.count = 2;
  const auto outcome = run(options);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.starts_with("queue 3  from 10.0.3.9 to 10.0.3.7:443 tcp: "));
  CHECK(outcome.out.find("\n  try        volley probe --source-ports 4") != std::string::npos);
  options.queue.reset();
  CHECK(run(options).out.starts_with("from 10.0.3.9 to 10.0.3.7:443 tcp, source ports 40000-40999\n"));
}

TEST_CASE("rss prints JSON instead of text, or writes it to a file beside the text") {
  auto options = microsoft();
  options.json = "-";
  const auto json = nlohmann::json::parse(run(options).out);
  CHECK(json["schema"] == "volley.rss/1");
  CHECK(json["source"] == "--rss-key");
  CHECK(json["config"]["key_name"] == "microsoft");

  char name[] = "/tmp/volley-rss-test-XXXXXX";
  const int descriptor = mkstemp(name);
  REQUIRE(descriptor >= 0);
  close(descriptor);
  options.json = name;
  CHECK(run(options).out.starts_with("RSS by --rss-key\n"));
  CHECK(nlohmann::json::parse(content_of(name)) == json);
  std::remove(name);
  options.json = "/nonexistent/file";
  const auto outcome = run(options);
  CHECK(outcome.status == 2);
  CHECK(outcome.err == "volley: --json /nonexistent/file: can't be written\n");
}

TEST_CASE("rss says in one line what is wrong") {
  check_error({}, "rss needs --rss FILE, or --rss-key with --rss-queues");
  RssCommandOptions options;
  options.rss_source = "/nonexistent";
  check_error(options, "--rss /nonexistent: can't be read");
  options.rss_source = "/";
  check_error(options, "--rss /: can't be read");
  options.rss_source = "-";
  check_error(options, "--rss -: empty, and the output of ethtool -x is needed");
  check_error(options, "--rss -: line 2: \"ELF\" is not the output of ethtool -x", "\nELF\n");
  check_error(options, "--rss -: more than 1048576 bytes, and no output of ethtool -x is so long",
              std::string(3000000, 'x'));
  options.flows_file = "-";
  check_error(options, "--rss - and --flows -: standard input can be only one of them");

  options = microsoft();
  options.flows = {"10.0.3.9:1"};
  check_error(options, "--flow: \"10.0.3.9:1\" is not a flow: SRC:PORT>DST:PORT");
  options.flows.clear();
  options.flows_file = "-";
  check_error(options, "--flows -: no flow in it");
  check_error(options, "--flows -: line 1: \"x\" is not a flow: SRC:PORT>DST:PORT", "x\n");
  options.flows_file = "/nonexistent";
  check_error(options, "--flows /nonexistent: can't be read");
}

TEST_CASE("rss says what a choice of ports needs") {
  auto options = microsoft();
  options.queue = 3;
  check_error(options, "--from ADDRESS and --to ADDRESS:PORT belong together: a queue depends on both");
  options.from = "10.0.3.9";
  options.to = "10.0.3.7";
  check_error(options, "--to: a port is needed: 10.0.3.7:443");
  options.to = "[2001:db8::7]:443";
  check_error(options, "--from and --to: an IPv4 and an IPv6 address");
  options.to = "10.0.3.7:443";
  options.queue = 9;
  check_error(options, "--queue 9: this RSS table has queues 0 to 7");
  options.rss_queues = 1;
  check_error(options, "--queue 9: this RSS table has queue 0 only");
  options.queue = 0;
  options.from = "10.0.3.9:1000";
  check_error(options, "--from: an address without a port is needed, its ports are what is looked for");
  options.from = "web9";
  check_error(options, "--from: \"web9\" is not an address with an optional port: 192.0.2.1:443 or [2001:db8::1]:443");
  options.from = "10.0.3.9";
  options.source_ports = {5, 4};
  check_error(options, "--source-ports: the range is empty");
  options.source_ports = {4, 5};
  options.protocol = wire::IpProtocol::icmp;
  check_error(options, "--protocol icmp: ICMP has no source ports; --flow SRC>DST tells its queue");
}

// The command line: what it yields, and what it refuses in one line.
#include "volley/app/options.h"

#include <catch2/catch.hpp>

namespace {

using namespace volley;
using namespace volley::app;
using namespace std::chrono_literals;

Command parse(std::vector<const char*> words) {
  words.insert(words.begin(), "volley");
  return parse_options(static_cast<int>(words.size()), words.data());
}

ProbeOptions parse_probe(std::vector<const char*> words) {
  Command command = parse(std::move(words));
  if (const auto* error = std::get_if<UsageError>(&command)) FAIL(error->text);
  return std::get<ProbeOptions>(std::move(command));
}

std::string refusal(std::vector<const char*> words) {
  const Command command = parse(std::move(words));
  const auto* error = std::get_if<UsageError>(&command);
  return error == nullptr ? std::string("(accepted)") : error->text;
}

TEST_CASE("a target alone is a probe") {
  CHECK(parse_probe({"web7:443"}).targets == std::vector<std::string>{"web7:443"});
  CHECK(parse_probe({"-c", "5", "web7"}).request.count == 5);
  CHECK(parse_probe({"probe", "a", "b"}).targets.size() == 2);
}

TEST_CASE("letters mean what they mean in ping, hping and mtr") {
  const ProbeOptions options =
      parse_probe({"probe", "-4", "-c",    "7",  "-i",   "10ms", "-W",       "2",  "-t", "9",   "-s",
                   "33",    "-p", "80,81", "-I", "eth0", "-S",   "10.0.0.1", "-n", "-q", "web7"});
  CHECK(options.family == FamilyChoice::v4);
  CHECK(options.request.count == 7);
  CHECK(options.request.interval == 10ms);
  CHECK(options.request.timeout == 2s);
  CHECK(options.request.ttl == 9);
  CHECK(options.request.payload_bytes == 33);
  CHECK(options.request.payload_bytes_given);
  CHECK(options.ports == std::vector<std::uint16_t>{80, 81});
  CHECK(options.interface_name == "eth0");
  CHECK(options.source_address == "10.0.0.1");
  CHECK(options.output.numeric);
  CHECK(options.output.quiet);
}

TEST_CASE("the protocol is TCP unless told otherwise") {
  CHECK(parse_probe({"web7"}).request.protocol == probe::Protocol::tcp);
  CHECK(parse_probe({"--udp", "web7"}).request.protocol == probe::Protocol::udp);
  CHECK(parse_probe({"--icmp", "web7"}).request.protocol == probe::Protocol::icmp);
  CHECK(refusal({"--udp", "--icmp", "web7"}) != "(accepted)");
}

TEST_CASE("json and csv take a file only after an equals sign") {
  const ProbeOptions to_stdout = parse_probe({"--json", "web7"});
  CHECK(to_stdout.output.json == "-");
  CHECK(to_stdout.targets == std::vector<std::string>{"web7"});
  CHECK(parse_probe({"--json=x.json", "web7"}).output.json == "x.json");
  CHECK(parse_probe({"--csv=x.csv", "web7"}).output.csv == "x.csv");
}

TEST_CASE("source ports are a range to choose from or a list to use") {
  const ProbeOptions range = parse_probe({"--source-ports", "40000-41000", "web7"});
  CHECK(range.request.first_source_port == 40000);
  CHECK(range.request.last_source_port == 41000);
  CHECK(range.request.listed_source_ports.empty());
  const ProbeOptions list = parse_probe({"--source-ports", "33017,40211", "web7"});
  CHECK(list.request.listed_source_ports == std::vector<std::uint16_t>{33017, 40211});
  CHECK(parse_probe({"--source-ports", "5000", "web7"}).request.listed_source_ports ==
        std::vector<std::uint16_t>{5000});
}

TEST_CASE("rates, durations and seeds") {
  CHECK(parse_probe({"-r", "20k", "web7"}).request.rate_pps == 20000.0);
  CHECK(parse_probe({"-r", "max", "web7"}).request.rate_is_max);
  CHECK(parse_probe({"-d", "0", "web7"}).request.duration == 0ns);
  CHECK_FALSE(parse_probe({"web7"}).request.duration.has_value());
  CHECK(parse_probe({"--seed", "42", "web7"}).seed_given);
}

TEST_CASE("a wrong value is refused in one line that names the option") {
  CHECK(refusal({"-r", "fast", "web7"}) ==
        "--rate: 'fast' is not a number of probes per second above 0, like 0.5, 1000, 20k or max: see volley probe "
        "--help");
  CHECK(refusal({"-t", "300", "web7"}) == "--ttl: '300' is not a whole number from 1 to 255: see volley probe --help");
  CHECK(refusal({"--frobnicate", "web7"}).find("--frobnicate") != std::string::npos);
  CHECK(refusal({"--udp-payload", "dns", "web7"}) != "(accepted)");
  for (const auto& text : {refusal({"-r"}), refusal({"--color", "maybe", "web7"}), refusal({"read"}), refusal({})}) {
    CHECK(text != "(accepted)");
    CHECK(text.find('\n') == std::string::npos);
  }
}

TEST_CASE("help and version are no errors") {
  CHECK(std::get<Information>(parse({"--version"})).text == "volley " VOLLEY_VERSION "\n");
  CHECK(std::get<Information>(parse({"--help"})).text.find("probe") != std::string::npos);
  for (const char* command : {"probe", "read", "rss"}) {
    CHECK(std::get<Information>(parse({command, "--help"})).text.find("Examples:") != std::string::npos);
  }
}

TEST_CASE("read and rss have options of their own") {
  const Command read = parse({"read", "--rss", "x.txt", "-W", "2s", "run.pcap"});
  CHECK(std::get<ReadOptions>(read).file == "run.pcap");
  CHECK(std::get<ReadOptions>(read).timeout == 2s);
  const Command rss = parse({"rss", "--rss-key", "microsoft", "--rss-queues", "8", "--flow", "10.0.0.1:1>10.0.0.2:2"});
  CHECK(std::get<RssCommandOptions>(rss).rss_key == "microsoft");
  CHECK(std::get<RssCommandOptions>(rss).flows.size() == 1);
}

}  // namespace

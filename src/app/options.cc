// The command line: the only file that knows CLI11 (see the header).
#include "volley/app/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "volley/app/quantity.h"

namespace volley::app {
namespace {

constexpr std::array<std::string_view, 3> kCommands{"probe", "read", "rss"};

constexpr const char* kProbeFooter =
    R"(TARGET is host, host:port, host:80,443,8000-8010 or [2001:db8::1]:port; without a port 443 (TCP) or 33434 (UDP).

Examples:
  volley probe 10.0.3.7:6379                      10 s of SYNs from 2048 source ports: loss, RTT, findings
  ssh web7 ethtool -x eth0 | volley probe --rss - web7:443    the same per receive queue of web7
  volley probe -r 20k -d 1m --json web7:443       a minute at 20,000/s, for a program to read
  volley probe --udp --udp-payload echo web7:7    UDP to an echo server
  volley probe --icmp -i 10ms -c 500 web7         500 echoes, 10 ms apart

Exit status: 0 every target answered, 1 one did not answer at all, 2 wrong usage, 3 could not measure.)";

constexpr const char* kReadFooter = R"(Examples:
  volley probe --write run.pcap web7:443 && volley read run.pcap
  tcpdump -i eth0 -w web7.pcap host web7 ...; volley read --rss web7.txt web7.pcap

Exit status: 0 every target answered, 1 one did not answer at all, 2 wrong usage, 3 the file can't be read.)";

constexpr const char* kRssFooter = R"(Examples:
  ssh web7 ethtool -x eth0 | volley rss --rss -                             what was understood of it
  volley rss --rss web7.txt --flow 10.0.3.9:40000'>'10.0.3.7:443            which queue the flow lands on
  volley rss --rss web7.txt --queue 3 --from 10.0.3.9 --to 10.0.3.7:443     source ports that reach queue 3)";

constexpr const char* kTopFooter =
    R"(`volley TARGET` alone is `volley probe TARGET`. `volley COMMAND --help` tells a command's options, volley(8) the rest.)";

// Help that shows an option's value and no more: what excludes what is told when
// it is done wrong.
class PlainFormatter final : public CLI::Formatter {
 public:
  PlainFormatter() { column_width(28); }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    // CLI11 shows the value that a flag has without "=FILE".
    if (const std::size_t brace = name.find("{-}"); brace != std::string::npos) name.replace(brace, 3, "[=FILE]");
    return name;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
};

// Adds an option whose text `assign` reads; what it throws becomes the usage error.
template <typename Assign>
CLI::Option* add_text(CLI::App& app, const std::string& names, const std::string& type, Assign assign,
                      const std::string& help) {
  const std::size_t dashes = names.find("--");
  const std::string name = dashes == std::string::npos ? names : names.substr(dashes);
  return app
      .add_option_function<std::string>(
          names,
          [assign, name](const std::string& text) {
            try {
              assign(text);
            } catch (const BadQuantity& error) {
              throw CLI::ValidationError(name, error.what());
            }
          },
          help)
      ->type_name(type);
}

std::vector<std::uint8_t> parse_custom_payload(const std::string& text) {
  try {
    return parse_hex_bytes(text);
  } catch (const BadQuantity&) {
    throw BadQuantity("'" + text + "' is not dns, ntp, echo or a payload in hexadecimal like 0a1b2c");
  }
}

void add_targets(CLI::App& app, ProbeOptions& options) {
  app.add_option("TARGET", options.targets, "hosts to probe")->type_name("");
  app.add_option("-f,--targets", options.targets_file, "read targets from FILE (- is standard input), one a line")
      ->type_name("FILE");
  add_text(
      app, "-p,--port", "LIST", [&](const std::string& text) { options.ports = parse_port_list(text); },
      "destination ports of targets without one, like 80,443,8000-8010");
  auto* v4 = app.add_flag_callback(
      "-4", [&] { options.family = FamilyChoice::v4; }, "use IPv4 addresses only");
  auto* v6 = app.add_flag_callback(
      "-6", [&] { options.family = FamilyChoice::v6; }, "use IPv6 addresses only");
  v4->excludes(v6);
  app.add_flag("--all-addresses", options.all_addresses, "probe each address of a name, not only the first");
}

void add_kind(CLI::App& app, ProbeOptions& options) {
  auto& request = options.request;
  app.option_defaults()->group("What to send");
  auto* tcp = app.add_flag_callback(
      "--tcp", [&] { request.protocol = probe::Protocol::tcp; }, "TCP SYN (default)");
  auto* udp = app.add_flag_callback(
      "--udp", [&] { request.protocol = probe::Protocol::udp; }, "UDP datagrams");
  auto* icmp = app.add_flag_callback(
      "--icmp", [&] { request.protocol = probe::Protocol::icmp; }, "ICMP echo");
  tcp->excludes(udp)->excludes(icmp);
  udp->excludes(icmp);
  add_text(
      app, "--tcp-flags", "FLAGS", [&](const std::string& text) { request.tcp_flags = parse_tcp_flags(text); },
      "TCP flags instead of SYN, like S, SA or syn,ack")
      ->excludes(udp)
      ->excludes(icmp);
  add_text(
      app, "--udp-payload", "KIND",
      [&](const std::string& text) {
        if (text == "dns") {
          request.udp_payload = probe::UdpPayload::dns;
        } else if (text == "ntp") {
          request.udp_payload = probe::UdpPayload::ntp;
        } else if (text == "echo") {
          request.udp_payload = probe::UdpPayload::echo;
        } else {
          request.udp_payload = probe::UdpPayload::custom;
          request.custom_payload = parse_custom_payload(text);
        }
      },
      "dns, ntp, echo, or the payload's bytes in hexadecimal")
      ->needs(udp);
  add_text(
      app, "-s,--size", "BYTES",
      [&](const std::string& text) {
        request.payload_bytes = static_cast<std::uint16_t>(parse_whole(text, 0, 65507));
        request.payload_bytes_given = true;
      },
      "payload bytes (default: TCP 0, UDP 16, ICMP 56)");
  add_text(
      app, "-t,--ttl", "N",
      [&](const std::string& text) { request.ttl = static_cast<std::uint8_t>(parse_whole(text, 1, 255)); },
      "time to live or hop limit (default 64)");
  add_text(
      app, "--dscp", "N",
      [&](const std::string& text) { request.dscp = static_cast<std::uint8_t>(parse_whole(text, 0, 63)); },
      "differentiated services code point, 0 to 63");
  app.add_flag("--df", request.dont_fragment, "set don't fragment (IPv4)");
}

void add_schedule(CLI::App& app, ProbeOptions& options) {
  auto& request = options.request;
  app.option_defaults()->group("When to send");
  add_text(
      app, "-r,--rate", "PPS",
      [&](const std::string& text) {
        request.rate_is_max = text == "max";
        if (!request.rate_is_max) request.rate_pps = parse_rate(text);
      },
      "probes per second of the whole run, or max (default 1000)");
  add_text(
      app, "-i,--interval", "TIME", [&](const std::string& text) { request.interval = parse_time(text); },
      "time between probes, instead of a rate");
  add_text(
      app, "-c,--count", "N", [&](const std::string& text) { request.count = parse_whole(text, 1, 1ULL << 62U); },
      "probes for each address and port; without -d it alone ends the run");
  add_text(
      app, "-d,--duration", "TIME", [&](const std::string& text) { request.duration = parse_time(text); },
      "length of the run (default 10s; 0: until interrupted)");
  add_text(
      app, "-W,--timeout", "TIME", [&](const std::string& text) { request.timeout = parse_time(text); },
      "a probe without an answer for this long is lost (default 1s)");
  add_text(
      app, "--seed", "N",
      [&](const std::string& text) {
        request.seed = parse_whole(text, 0, ~std::uint64_t{0});
        options.seed_given = true;
      },
      "repeat the order of ports and the ids of an earlier run");
  app.add_flag("--spin", options.spin, "spend a core on exact times of sending");
  app.add_flag("--force", request.allow_public_rate,
               "go faster than 1000/s towards a public address, and on when resets don't leave");
}

void set_source_ports(const std::string& text, probe::PlanRequest& request) {
  const std::vector<std::uint16_t> ports = parse_port_list(text);
  if (text.find(',') == std::string::npos && ports.size() > 1) {
    request.first_source_port = ports.front();
    request.last_source_port = ports.back();
  } else {
    request.listed_source_ports = ports;
  }
}

void add_origin(CLI::App& app, ProbeOptions& options) {
  auto& request = options.request;
  app.option_defaults()->group("Where from");
  add_text(
      app, "--source-ports", "LIST", [&](const std::string& text) { set_source_ports(text, request); },
      "source ports: a range to choose from (default 32768-65535) or a list to use");
  add_text(
      app, "--source-port-count", "N",
      [&](const std::string& text) {
        request.source_port_count = static_cast<std::uint32_t>(parse_whole(text, 1, 65535));
      },
      "how many source ports (default: by rate and length)");
  app.add_option("-I,--interface", options.interface_name, "send through this interface")->type_name("NAME");
  app.add_option("-S,--source", options.source_address, "send from this address of this host")->type_name("ADDRESS");
  add_text(
      app, "--mark", "N",
      [&](const std::string& text) { options.mark = static_cast<std::uint32_t>(parse_whole(text, 0, 0xffffffffU)); },
      "firewall mark of the probes, for policy routing");
}

// Which of them go together is make_config's to say, for every command alike.
void add_rss(CLI::App& app, RssChoice& rss) {
  app.option_defaults()->group("The target's receive-side scaling");
  app.add_option("--rss", rss.source, "`ethtool -x DEV` of the target, text or JSON; - is standard input")
      ->type_name("FILE");
  app.add_option("--rss-key", rss.key, "the target's hash key in hexadecimal, or a published key's name")
      ->type_name("HEX|NAME");
  add_text(
      app, "--rss-queues", "N",
      [&](const std::string& text) { rss.queues = static_cast<std::uint32_t>(parse_whole(text, 1, 8192)); },
      "number of receive queues, with --rss-key or where --rss shows no table");
  add_text(
      app, "--rss-table", "N",
      [&](const std::string& text) { rss.table_size = static_cast<std::uint32_t>(parse_whole(text, 1, 8192)); },
      "size of the indirection table that goes with --rss-queues (default 128)");
}

When parse_when(const std::string& text) {
  if (text == "auto") return When::automatic;
  if (text == "always") return When::always;
  if (text == "never") return When::never;
  throw BadQuantity("'" + text + "' is not auto, always or never");
}

void add_output(CLI::App& app, OutputOptions& output) {
  app.option_defaults()->group("Output");
  app.add_flag("--json{-}", output.json, "the result as JSON on standard output, or in FILE with --json=FILE");
  app.add_flag("--csv{-}", output.csv, "the result as CSV on standard output, or in FILE with --csv=FILE");
  app.add_flag("--per-port", output.per_port, "every source port's counts, not only the worst");
  app.add_flag("-q,--quiet", output.quiet, "totals and findings only, no progress");
  app.add_flag("-n,--numeric", output.numeric, "print addresses, not names");
  add_text(
      app, "--color", "WHEN", [&](const std::string& text) { output.colour = parse_when(text); },
      "auto, always or never");
}

void add_live_output(CLI::App& app, ProbeOptions& options) {
  app.option_defaults()->group("Output while running");
  app.add_flag("-v,--verbose", options.output.verbose, "one line for each reply");
  add_text(
      app, "--progress", "WHEN", [&](const std::string& text) { options.output.progress = parse_when(text); },
      "auto, always or never");
  app.add_option("--write", options.write_file, "keep what was sent and received, for volley read or tcpdump")
      ->type_name("FILE.pcap");
}

void add_probe_options(CLI::App& app, ProbeOptions& options) {
  add_targets(app, options);
  add_kind(app, options);
  add_schedule(app, options);
  add_origin(app, options);
  add_rss(app, options.rss);
  add_text(
      app, "--queue", "N",
      [&](const std::string& text) {
        options.request.only_queue = static_cast<rss::QueueId>(parse_whole(text, 0, 4095));
      },
      "use only source ports that reach this queue of the target");
  add_output(app, options.output);
  add_live_output(app, options);
  app.footer(kProbeFooter);
}

void add_read_options(CLI::App& app, ReadOptions& options) {
  app.add_option("FILE", options.file, "a capture file with both directions")->type_name("")->required();
  auto* tcp = app.add_flag_callback(
      "--tcp", [&] { options.protocol = probe::Protocol::tcp; }, "only TCP probes");
  auto* udp = app.add_flag_callback(
      "--udp", [&] { options.protocol = probe::Protocol::udp; }, "only UDP probes");
  auto* icmp = app.add_flag_callback(
      "--icmp", [&] { options.protocol = probe::Protocol::icmp; }, "only ICMP echoes");
  tcp->excludes(udp)->excludes(icmp);
  udp->excludes(icmp);
  app.add_option("--target", options.target, "of several targets in the file, only this one")
      ->type_name("ADDRESS[:PORT]");
  add_text(
      app, "-W,--timeout", "TIME", [&](const std::string& text) { options.timeout = parse_time(text); },
      "a probe without an answer for this long is lost (default 1s)");
  add_rss(app, options.rss);
  add_output(app, options.output);
  app.footer(kReadFooter);
}

wire::IpProtocol parse_protocol(const std::string& text) {
  if (text == "tcp") return wire::IpProtocol::tcp;
  if (text == "udp") return wire::IpProtocol::udp;
  if (text == "icmp") return wire::IpProtocol::icmp;
  throw BadQuantity("'" + text + "' is not tcp, udp or icmp");
}

void add_rss_command_options(CLI::App& app, RssCommandOptions& options, RssChoice& rss) {
  add_rss(app, rss);
  app.add_option("--flow", options.flows, "tell the queue of this flow; may be repeated")
      ->type_name("SRC:PORT>DST:PORT")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--flows", options.flows_file, "the same for each line of FILE (- is standard input)")
      ->type_name("FILE");
  add_text(
      app, "--protocol", "NAME", [&](const std::string& text) { options.protocol = parse_protocol(text); },
      "tcp (default), udp or icmp");
  add_text(
      app, "--queue", "N",
      [&](const std::string& text) { options.queue = static_cast<std::uint32_t>(parse_whole(text, 0, 65535)); },
      "list source ports that reach this queue; goes with --from and --to");
  app.add_option("--from", options.from, "address that the probes come from")->type_name("ADDRESS");
  app.add_option("--to", options.to, "address and port that the probes go to")->type_name("ADDRESS:PORT");
  add_text(
      app, "--source-ports", "FIRST-LAST",
      [&](const std::string& text) {
        const std::vector<std::uint16_t> ports = parse_port_list(text);
        if (text.find(',') != std::string::npos) throw BadQuantity("'" + text + "' is not one range of ports");
        options.source_ports = {ports.front(), ports.back()};
      },
      "source ports to choose from (default 32768-65535)");
  add_text(
      app, "--count", "N", [&](const std::string& text) { options.count = parse_whole(text, 0, 65535); },
      "how many source ports to list (default 16; 0: all)");
  app.add_flag("--json{-}", options.json, "the answer as JSON on standard output, or in FILE with --json=FILE");
  app.footer(kRssFooter);
}

// One line for standard error out of what CLI11 says, with our own words for
// the commonest mistake.
UsageError usage_error(const CLI::ParseError& error, const std::string& command) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::size_t colon = text.find(": ");
    text = "unknown option or argument" + (colon == std::string::npos ? text : text.substr(colon));
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
  return {text + ": see volley " + (command.empty() ? "" : command + " ") + "--help"};
}

// `volley TARGET` means `volley probe TARGET`: true if the first argument is
// no command and asks nothing of volley itself.
bool lacks_command(int argument_count, const char* const* arguments) {
  if (argument_count < 2) return false;
  const std::string_view first = arguments[1];
  constexpr std::array<std::string_view, 4> kOwnOptions{"-h", "--help", "-V", "--version"};
  return std::find(kCommands.begin(), kCommands.end(), first) == kCommands.end() &&
         std::find(kOwnOptions.begin(), kOwnOptions.end(), first) == kOwnOptions.end();
}

}  // namespace

Command parse_options(int argument_count, const char* const* arguments) {
  CLI::App app("volley: an active latency probe: which port, queue or path loses packets or is slow", "volley");
  app.set_version_flag("-V,--version", "volley " VOLLEY_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<PlainFormatter>());
  app.footer(kTopFooter);
  ProbeOptions probe_options;
  ReadOptions read_options;
  RssCommandOptions rss_options;
  RssChoice rss_command_choice;
  CLI::App* probe = app.add_subcommand("probe", "spray probes over many source ports: loss, RTT, findings");
  CLI::App* read = app.add_subcommand("read", "the same analysis from a capture file, without privileges");
  CLI::App* rss = app.add_subcommand("rss", "compute queues of flows, list source ports for a queue");
  add_probe_options(*probe, probe_options);
  add_read_options(*read, read_options);
  add_rss_command_options(*rss, rss_options, rss_command_choice);

  std::vector<std::string> words(arguments + 1, arguments + std::max(argument_count, 1));
  if (lacks_command(argument_count, arguments)) words.insert(words.begin(), "probe");
  std::reverse(words.begin(), words.end());  // CLI11 takes them last first
  const auto command_name = [&] {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? std::string() : parsed.front()->get_name();
  };
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForVersion& version) {
    return Information{std::string(version.what()) + "\n"};
  } catch (const CLI::CallForHelp&) {
    return Information{app.help()};
  } catch (const CLI::ParseError& error) {
    return usage_error(error, command_name());
  }
  if (probe->parsed()) return probe_options;
  if (read->parsed()) return read_options;
  rss_options.rss_source = rss_command_choice.source;
  rss_options.rss_key = rss_command_choice.key;
  rss_options.rss_queues = rss_command_choice.queues;
  rss_options.rss_table_size = rss_command_choice.table_size;
  return rss_options;
}

}  // namespace volley::app

// softnic: the command line of the software NIC. The only file here with CLI11.
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <system_error>

#include "nic.h"

namespace {

struct Options {
  lab::NicConfig nic;
  std::string target_mac = "02:00:00:00:00:02";
  std::string client_mac = "02:00:00:00:00:01";
  std::string target_key = "random:1";
  std::string client_key = "random:2";
  std::size_t table = 128;
  lab::Fill fill = lab::Fill::modulo;
  lab::UdpHash udp = lab::UdpHash::addresses_and_ports;
  std::string rss_file;
  int cpu = -1;
  bool print_rss = false;
};

const std::map<std::string, lab::Fill> kFills{{"mod", lab::Fill::modulo}, {"block", lab::Fill::block}};
const std::map<std::string, lab::UdpHash> kUdpHashes{{"ports", lab::UdpHash::addresses_and_ports},
                                                     {"addresses", lab::UdpHash::addresses}};

void add_devices(CLI::App& app, Options& options) {
  lab::NicConfig& nic = options.nic;
  nic.target.device = nic.client.device = "eth0";
  nic.target.queues = 8;
  app.add_option("--client-netns", nic.client.netns, "network namespace that gets the client's device");
  app.add_option("--target-netns", nic.target.netns, "network namespace that gets the target's device");
  app.add_option("--client-device", nic.client.device, "name of the client's device")->capture_default_str();
  app.add_option("--target-device", nic.target.device, "name of the target's device")->capture_default_str();
  app.add_option("--client-mac", options.client_mac, "hardware address")->capture_default_str();
  app.add_option("--target-mac", options.target_mac, "hardware address")->capture_default_str();
  app.add_option("--client-mtu", nic.client.mtu, "MTU of the client's device")
      ->check(CLI::Range(576, 65521))
      ->capture_default_str();
  app.add_option("--target-mtu", nic.target.mtu, "MTU of the target's device")
      ->check(CLI::Range(576, 65521))
      ->capture_default_str();
}

void add_rss(CLI::App& app, Options& options) {
  const auto queue_range = CLI::Range(1, 256);  // the kernel's limit for a TAP device
  app.add_option("--queues", options.nic.target.queues, "receive queues of the target")
      ->check(queue_range)
      ->capture_default_str();
  app.add_option("--client-queues", options.nic.client.queues, "receive queues of the client")
      ->check(queue_range)
      ->capture_default_str();
  app.add_option("--table", options.table, "size of the indirection tables")->capture_default_str();
  app.add_option("--fill", options.fill, "mod or block: how queues fill the tables")
      ->transform(CLI::CheckedTransformer(kFills));
  app.add_option("--key", options.target_key, "the target's key: HEX or random:SEED")->capture_default_str();
  app.add_option("--client-key", options.client_key, "the client's key")->capture_default_str();
  app.add_option("--udp-hash", options.udp, "ports or addresses: what UDP is hashed on")
      ->transform(CLI::CheckedTransformer(kUdpHashes));
  app.add_option("--rss-file", options.rss_file, "write there what `ethtool -x` would say of the target");
  app.add_flag("--print-rss", options.print_rss, "only print what `ethtool -x` would say of the target");
}

void add_run(CLI::App& app, Options& options) {
  lab::NicConfig& nic = options.nic;
  app.add_option("--to-target", nic.to_target, "a rule for frames to the target (may be repeated)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--to-client", nic.to_client, "a rule for frames to the client (may be repeated)")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--rules", nic.rules_file, "more rules, read again on SIGHUP: lines of to-target|to-client RULE");
  app.add_option("--seed", nic.seed, "of all that is left to chance")->capture_default_str();
  app.add_option("--log", nic.recorder.log, "write a line of CSV for each frame there");
  app.add_option("--pcap", nic.recorder.pcap, "prefix of four captures: frames read and written, by direction");
  app.add_option("--truth", nic.truth_file, "write the counters there at the end and on SIGUSR1, as JSON");
  app.add_option("--ready-file", nic.ready_file, "write process id and rules generation there when up");
  app.add_option("--cpu", options.cpu, "run on this CPU only");
}

lab::RssConfig rss_config(const std::string& key, std::size_t queues, const Options& options) {
  return {lab::parse_key(key), lab::make_table(options.table, queues, options.fill), options.udp};
}

// Deadlines matter: no timer slack, and the CPU asked for.
void prepare_process(const Options& options) {
  setsid();  // a Ctrl-C at the test's terminal is not for the NIC; fails harmlessly for a leader
  prctl(PR_SET_TIMERSLACK, 1);
  if (options.cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(options.cpu), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
      throw std::system_error(errno, std::generic_category(), "run on CPU " + std::to_string(options.cpu));
    }
  }
}

void run(Options& options) {
  lab::NicConfig& nic = options.nic;
  nic.target_rss = rss_config(options.target_key, nic.target.queues, options);
  nic.client_rss = rss_config(options.client_key, nic.client.queues, options);
  const std::string rss = lab::ethtool_text(nic.target.device, nic.target_rss);
  if (options.print_rss) {
    std::fputs(rss.c_str(), stdout);
    return;
  }
  if (nic.client.netns.empty() || nic.target.netns.empty()) {
    throw std::invalid_argument("--client-netns and --target-netns are needed");
  }
  nic.target.mac = lab::parse_mac(options.target_mac);
  nic.client.mac = lab::parse_mac(options.client_mac);
  lab::block_signals();
  lab::Nic device(nic);
  if (!options.rss_file.empty()) {
    lab::replace_file(options.rss_file, rss);
  }
  prepare_process(options);
  device.run();
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kWrongUsage = 2;
  constexpr int kFailed = 3;
  CLI::App app("A network card in software, with receive-side scaling and faults, between two network namespaces");
  Options options;
  add_devices(app, options);
  add_rss(app, options);
  add_run(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  }
  try {
    run(options);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "softnic: %s\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "softnic: %s\n", error.what());
    return kFailed;
  }
  return 0;
}

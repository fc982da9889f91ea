// `volley rss`: reads what the options name, lets the rss room answer, prints.
// Start-up thread only. See the header.
#include "volley/app/rss_command.h"

#include <algorithm>
#include <fstream>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <variant>

#include "volley/app/exit_status.h"
#include "volley/rss/caveats.h"
#include "volley/rss/ethtool.h"
#include "volley/rss/explain.h"
#include "volley/rss/explain_json.h"
#include "volley/rss/flow_text.h"

namespace volley::app {
namespace {

// A list of a million flows is 40 MB.
constexpr std::size_t kMaxFlowsFileBytes = std::size_t{64} << 20U;

// Wrong usage or input: one line for the user.
class BadRssCommand : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename Value>
Value value_or_throw(std::variant<Value, std::string> result, const std::string& prefix = "") {
  if (const auto* error = std::get_if<std::string>(&result)) {
    throw BadRssCommand(prefix + *error);
  }
  return std::move(std::get<Value>(result));
}

// The first `most` bytes and one more, so that a caller sees that it is too long.
std::string read_some(std::istream& in, std::size_t most) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= most && in.good()) {
    in.read(buffer, static_cast<std::streamsize>(std::min(sizeof buffer, most + 1 - text.size())));
    text.append(buffer, static_cast<std::size_t>(in.gcount()));
  }
  return text;
}

// nullopt if the file can't be read.
std::optional<std::string> read_named(const std::string& name, std::istream& in, std::size_t most) {
  if (name == "-") {
    return read_some(in, most);
  }
  std::ifstream file(name, std::ios::binary);
  if (!file.is_open()) {
    return std::nullopt;
  }
  auto text = read_some(file, most);
  return file.bad() ? std::nullopt : std::optional(std::move(text));
}

rss::RssAnswer understand(const RssCommandOptions& options, std::istream& in) {
  rss::ConfigRequest request;
  request.key = options.rss_key;
  request.queues = options.rss_queues;
  request.table_size = options.rss_table_size;
  if (options.rss_source) {
    if (const auto error = read_rss_source(*options.rss_source, in, request)) {
      throw BadRssCommand(*error);
    }
  }
  if (rss::is_empty(request)) {
    throw BadRssCommand("rss needs --rss FILE, or --rss-key with --rss-queues");
  }
  rss::RssAnswer answer;
  answer.rss = value_or_throw(rss::make_config(request));
  answer.source = options.rss_source ? *options.rss_source : "--rss-key";
  answer.caveats = rss::caveats_of(answer.rss);
  return answer;
}

std::vector<wire::Flow> collect_flows(const RssCommandOptions& options, std::istream& in) {
  std::vector<wire::Flow> flows;
  for (const auto& text : options.flows) {
    flows.push_back(value_or_throw(rss::parse_flow(text, options.protocol), "--flow: "));
  }
  if (options.flows_file) {
    const auto prefix = "--flows " + *options.flows_file + ": ";
    const auto text = read_named(*options.flows_file, in, kMaxFlowsFileBytes);
    if (!text) {
      throw BadRssCommand(prefix + "can't be read");
    }
    if (text->size() > kMaxFlowsFileBytes) {
      throw BadRssCommand(prefix + "more than " + std::to_string(kMaxFlowsFileBytes) + " bytes");
    }
    const auto more = value_or_throw(rss::parse_flows(*text, options.protocol), prefix);
    if (more.empty()) {
      throw BadRssCommand(prefix + "no flow in it");
    }
    flows.insert(flows.end(), more.begin(), more.end());
  }
  return flows;
}

rss::QueueId checked_queue(std::uint32_t queue, const rss::RssConfig& config) {
  const auto count = config.queue_count();
  if (queue >= count) {
    throw BadRssCommand("--queue " + std::to_string(queue) + ": this RSS table has " +
                        (count == 1 ? std::string("queue 0 only") : "queues 0 to " + std::to_string(count - 1)));
  }
  return static_cast<rss::QueueId>(queue);
}

// The flow whose source port is to be chosen.
wire::Flow endpoints(const RssCommandOptions& options) {
  const auto from = value_or_throw(rss::parse_endpoint(*options.from), "--from: ");
  const auto to = value_or_throw(rss::parse_endpoint(*options.to), "--to: ");
  if (from.port != 0) {
    throw BadRssCommand("--from: an address without a port is needed, its ports are what is looked for");
  }
  if (from.address.family != to.address.family) {
    throw BadRssCommand("--from and --to: an IPv4 and an IPv6 address");
  }
  const bool is_icmp = options.protocol == wire::IpProtocol::icmp || options.protocol == wire::IpProtocol::icmpv6;
  if (is_icmp) {
    throw BadRssCommand("--protocol icmp: ICMP has no source ports; --flow SRC>DST tells its queue");
  }
  if (to.port == 0) {
    throw BadRssCommand("--to: a port is needed: " + rss::endpoint_text(to.address, 443));
  }
  return {from.address, to.address, 0, to.port, options.protocol};
}

std::optional<rss::PortChoice> choose(const RssCommandOptions& options, const rss::RssConfig& config) {
  if (!options.queue && !options.from && !options.to) {
    return std::nullopt;
  }
  if (!options.from || !options.to) {
    throw BadRssCommand("--from ADDRESS and --to ADDRESS:PORT belong together: a queue depends on both");
  }
  if (options.source_ports.first > options.source_ports.last) {
    throw BadRssCommand("--source-ports: the range is empty");
  }
  const auto queue =
      options.queue ? std::optional(checked_queue(*options.queue, config)) : std::optional<rss::QueueId>{};
  return rss::choose_ports(config, endpoints(options), options.source_ports, queue, options.count);
}

void write_json(const std::string& name, const std::string& document, std::ostream& out) {
  if (name == "-") {
    out << document;
    return;
  }
  std::ofstream file(name, std::ios::binary);
  file << document;
  file.close();
  if (!file) {
    throw BadRssCommand("--json " + name + ": can't be written");
  }
}

}  // namespace

std::optional<std::string> read_rss_source(const std::string& source, std::istream& in, rss::ConfigRequest& request) {
  request.text_name = source;
  request.text = read_named(source, in, rss::kMaxEthtoolTextBytes);
  if (!request.text) {
    return "--rss " + source + ": can't be read";
  }
  return std::nullopt;
}

int run_rss_command(const RssCommandOptions& options, std::istream& in, std::ostream& out, std::ostream& err) {
  try {
    if (options.rss_source == "-" && options.flows_file == "-") {
      throw BadRssCommand("--rss - and --flows -: standard input can be only one of them");
    }
    auto answer = understand(options, in);
    answer.flows = rss::queues_of(answer.rss.config, collect_flows(options, in));
    answer.ports = choose(options, answer.rss.config);
    if (options.json) {
      write_json(*options.json, rss::to_json(answer, VOLLEY_VERSION), out);
    }
    if (!options.json || *options.json != "-") {
      out << rss::to_text(answer);
    }
    out.flush();
    return exit_status::kAnswered;
  } catch (const BadRssCommand& error) {
    err << "volley: " << error.what() << "\n";
    return exit_status::kUsage;
  }
}

}  // namespace volley::app

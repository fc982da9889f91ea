// `volley rss`: queues of flows, source ports for a queue, and what an
// `ethtool -x` text says. No network, no privileges.
//
// Start-up thread only. The options are well-formed by themselves; what can't
// be combined is found here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "volley/rss/config_request.h"
#include "volley/rss/source_ports.h"
#include "volley/wire/flow.h"

namespace volley::app {

struct RssCommandOptions {
  std::optional<std::string> rss_source;  // --rss FILE or -
  std::optional<std::string> rss_key;     // --rss-key HEX or NAME
  std::optional<std::uint32_t> rss_queues;
  std::optional<std::uint32_t> rss_table_size;
  std::vector<std::string> flows;                     // --flow, repeatable
  std::optional<std::string> flows_file;              // --flows FILE or -
  std::optional<std::uint32_t> queue;                 // --queue
  std::optional<std::string> from;                    // --from ADDRESS
  std::optional<std::string> to;                      // --to ADDRESS:PORT
  rss::PortRange source_ports;                        // --source-ports FIRST-LAST
  std::size_t count = 16;                             // --count: source ports to list at most; 0 = all
  wire::IpProtocol protocol = wire::IpProtocol::tcp;  // icmp stands for icmpv6 too
  std::optional<std::string> json;                    // a file, or "-" for standard output
};

// Exit status: 0, or exit_status::kUsage for wrong usage or bad input with one
// line on `err`. `in` is read where a file is named "-".
int run_rss_command(const RssCommandOptions& options, std::istream& in, std::ostream& out, std::ostream& err);

// Reads what --rss names, for every command that takes it: at most a little
// more than volley would parse. The request's `text` and `text_name` are set;
// an error is one line that begins with "--rss".
std::optional<std::string> read_rss_source(const std::string& source, std::istream& in, rss::ConfigRequest& request);

}  // namespace volley::app

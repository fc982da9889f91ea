// Combines the RSS options into a configuration; see the header. Pure; any thread.
#include "volley/rss/config_request.h"

#include <utility>

#include "volley/rss/caveats.h"
#include "volley/rss/indirection_table.h"
#include "volley/rss/known_keys.h"

namespace volley::rss {
namespace {

using Made = std::variant<EthtoolRss, std::string>;

// Fills the table as most drivers do; the string is an error.
std::string assume_table(const ConfigRequest& request, EthtoolRss& rss) {
  const std::size_t queues = request.queues.value_or(0);
  if (queues == 0 || queues > kMaxTableEntries) {
    return "--rss-queues " + std::to_string(queues) + ": 1 to " + std::to_string(kMaxTableEntries) +
           " queues are possible";
  }
  const std::size_t entries = request.table_size.value_or(static_cast<std::uint32_t>(usual_table_size(queues)));
  if (const auto problem = table_problem(entries); !problem.empty()) {
    return "--rss-table: " + problem;
  }
  if (queues > entries) {
    return "--rss-queues " + std::to_string(queues) + ": a table of " + std::to_string(entries) +
           " entries can't name so many";
  }
  rss.config.table = default_table(entries, queues, TableFill::modulo);
  rss.missing_table = {};
  rss.notes.push_back("the table is assumed: " + std::to_string(entries) + " entries, entry i to queue i % " +
                      std::to_string(queues));
  return {};
}

// What --rss-key and --rss-queues add to a text; empty if all is well.
std::string fill_gaps(const ConfigRequest& request, EthtoolRss& rss) {
  if (request.key) {
    auto parsed = parse_key(*request.key);
    if (const auto* error = std::get_if<std::string>(&parsed)) {
      return "--rss-key: " + *error;
    }
    auto& key = std::get<ParsedKey>(parsed);
    if (!rss.config.key.empty() && rss.config.key != key.bytes) {
      rss.notes.push_back("the key of --rss-key is used, not the one in " + request.text_name);
    }
    rss.config.key = std::move(key.bytes);
    rss.config.key_name = std::move(key.name);
    rss.missing_key = {};
  }
  if (!request.queues && !request.table_size) {
    return {};
  }
  const std::string option = request.queues ? "--rss-queues" : "--rss-table";
  if (!rss.config.table.empty()) {
    return option + ": --rss " + request.text_name + " has a table of its own";
  }
  return request.queues ? assume_table(request, rss) : option + " needs --rss-queues, the number of receive queues";
}

// Why the configuration is still incomplete, with the way out; empty if it isn't.
std::string what_is_missing(const ConfigRequest& request, const EthtoolRss& rss) {
  const auto prefix = "--rss " + request.text_name + ": ";
  if (rss.config.table.empty()) {
    return prefix + to_string(rss.missing_table) + ": give --rss-queues for a table as most drivers fill it";
  }
  if (rss.config.function == HashFunction::toeplitz && rss.config.key.empty()) {
    return prefix + to_string(rss.missing_key) +
           ": give --rss-key; net.core.netdev_rss_key on the target has the key that most drivers use";
  }
  return {};
}

Made from_text(const ConfigRequest& request) {
  auto result = read_ethtool(*request.text);
  if (const auto* error = std::get_if<EthtoolError>(&result)) {
    return "--rss " + request.text_name + ": " + to_string(*error);
  }
  auto rss = std::move(std::get<EthtoolRss>(result));
  if (auto error = fill_gaps(request, rss); !error.empty()) {
    return error;
  }
  if (auto error = what_is_missing(request, rss); !error.empty()) {
    return error;
  }
  return rss;
}

Made from_key(const ConfigRequest& request) {
  if (!request.key) {
    return (request.queues ? std::string("--rss-queues") : std::string("--rss-table")) + " needs --rss-key or --rss";
  }
  if (!request.queues) {
    return std::string("--rss-key needs --rss-queues, the number of receive queues");
  }
  EthtoolRss rss;
  if (auto error = fill_gaps(request, rss); !error.empty()) {
    return error;
  }
  return rss;
}

}  // namespace

bool is_empty(const ConfigRequest& request) {
  return !request.text && !request.key && !request.queues && !request.table_size;
}

std::variant<EthtoolRss, std::string> make_config(const ConfigRequest& request) {
  auto made = request.text ? from_text(request) : from_key(request);
  if (auto* rss = std::get_if<EthtoolRss>(&made)) {
    for (auto& doubt : doubts_of(rss->config)) {
      rss->notes.push_back(std::move(doubt));
    }
  }
  return made;
}

}  // namespace volley::rss

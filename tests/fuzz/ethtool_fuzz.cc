// Fuzz target of rss/ethtool: any text, as it could come through --rss.
//
// Beyond what sanitizers see, it checks the promises of ethtool.h: an error is
// one printable line; a configuration can be used, explained and counted.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "volley/rss/caveats.h"
#include "volley/rss/ethtool.h"
#include "volley/rss/explain.h"
#include "volley/rss/explain_json.h"
#include "volley/rss/rx_flow_hash.h"

namespace {

using namespace volley;

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

bool is_printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void require_one_line(const std::string& text) {
  require(!text.empty() && is_printable(text));
}

void check_whole(std::string_view text) {
  const auto result = rss::read_ethtool(text);
  const auto* understood = std::get_if<rss::EthtoolRss>(&result);
  if (understood == nullptr) {
    require_one_line(to_string(std::get<rss::EthtoolError>(result)));
    return;
  }
  require(understood->interface_name.empty() || is_printable(understood->interface_name));
  for (const auto& note : understood->notes) {
    require_one_line(note);
  }
  const auto complete = rss::parse_ethtool_x(text);
  if (const auto* error = std::get_if<rss::EthtoolError>(&complete)) {
    require_one_line(to_string(*error));
    require(!rss::why_unusable(understood->config).empty());
    return;
  }
  const auto& config = std::get<rss::RssConfig>(complete);
  require(config == understood->config);
  require(rss::why_unusable(config).empty());
  rss::RssAnswer answer;
  answer.rss = *understood;
  answer.source.push_back('-');
  answer.caveats = rss::caveats_of(answer.rss);
  const wire::Flow flow{wire::IpAddress::from_v4(std::array<std::uint8_t, 4>{10, 0, 3, 9}),
                        wire::IpAddress::from_v4(std::array<std::uint8_t, 4>{10, 0, 3, 7}), 41000, 443,
                        wire::IpProtocol::tcp};
  answer.flows = rss::queues_of(config, std::span(&flow, 1));
  require(answer.flows.front().queue < config.queue_count());
  require(answer.flows.front().queue == rss::queue_of(config, flow));
  auto explanation = rss::explanation_text(answer);
  std::erase(explanation, '\n');
  require_one_line(explanation);
  require(!rss::to_json(answer, "0").empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  check_whole(text);
  if (const auto fields = rss::parse_rx_flow_hash(text); fields.index() == 1) {
    require_one_line(to_string(std::get<rss::EthtoolError>(fields)));
  }
  return 0;
}

// Requests and plans that the tests of this room begin with: one target, TCP,
// 1000/s, no network behind it.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "volley/probe/plan.h"

namespace volley::probe::sample {

inline wire::IpAddress address(const std::string& text) {
  return wire::parse_address(text).value();
}

inline Destination destination(const std::string& to = "10.0.3.7", std::uint16_t port = 443,
                               const std::string& from = "10.0.3.9") {
  Destination destination;
  destination.address = address(to);
  destination.port = port;
  destination.source = address(from);
  destination.interface_index = 2;
  destination.interface_name = "eth0";
  destination.mtu_bytes = 1500;
  destination.name = to;
  return destination;
}

inline PlanRequest request(Protocol protocol = Protocol::tcp) {
  PlanRequest request;
  request.protocol = protocol;
  request.destinations = {destination("10.0.3.7", protocol == Protocol::icmp ? 0 : 443)};
  request.seed = 1;
  return request;
}

inline ProbePlan plan(const PlanRequest& request) {
  auto made = make_plan(request);
  if (const auto* errors = std::get_if<PlanErrors>(&made)) {
    for (const std::string& error : *errors) {
      UNSCOPED_INFO(error);
    }
  }
  REQUIRE(std::holds_alternative<ProbePlan>(made));
  return std::get<ProbePlan>(made);
}

inline PlanErrors errors(const PlanRequest& request) {
  const auto made = make_plan(request);
  REQUIRE(std::holds_alternative<PlanErrors>(made));
  return std::get<PlanErrors>(made);
}

// A Toeplitz key without structure, and a table over `queues` queues.
inline rss::RssConfig rss_config(rss::QueueId queues, std::size_t table = 128) {
  rss::RssConfig config;
  std::uint32_t state = 0x2545f491;
  for (int i = 0; i < 52; ++i) {
    state = state * 1664525 + 1013904223;
    config.key.push_back(static_cast<std::uint8_t>(state >> 24U));
  }
  for (std::size_t i = 0; i < table; ++i) {
    config.table.push_back(static_cast<rss::QueueId>(i % queues));
  }
  return config;
}

}  // namespace volley::probe::sample

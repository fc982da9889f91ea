// The words that all formats share: names of protocols, replies, reasons, flags.
//
// Pure; any thread. One word per thing, the same in every output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "volley/probe/outcome.h"
#include "volley/probe/plan.h"
#include "volley/stats/run_result.h"

namespace volley::report {

// "tcp", "udp", "icmp".
std::string_view to_string(probe::Protocol protocol);

// "SYN-ACK", "RST", "echo reply", ...; "" for none.
std::string_view to_string(probe::ReplyKind kind);

// The key of the reason in JSON: "no_buffer", "not_permitted", ...; "" for none.
std::string_view key_of(probe::NotSentReason reason);
// For people: "refused by a local firewall (EPERM)".
std::string_view explanation_of(probe::NotSentReason reason);

// Names of the bits of a TCP header's flags, joined: "SYN", "SYN,ACK"; "none" for 0.
std::string tcp_flags_text(std::uint8_t flags);

// The long option's word: "sized", "dns", "ntp", "echo", or the bytes in hex.
std::string udp_payload_text(const probe::ProbePlan& plan);

// The sorted ports as --source-ports takes them: "32768-34815", "33017,33020-33022".
std::string port_ranges(const std::vector<std::uint16_t>& ports);

// How many different queues the table of `config` names.
std::size_t distinct_queues(const rss::RssConfig& config);

// Where the RSS configuration came from, as the user named it: a file, "-", a key.
std::string rss_basis(const probe::ProbePlan& plan);

// "1 queue", "8 queues".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

// "10.0.3.7", or "web7 (10.0.3.7)" if the user wrote a name.
std::string host_text(const stats::DestinationResult& destination);

// "tcp/443", "udp/53", "icmp".
std::string service_text(probe::Protocol protocol, std::uint16_t port);

// How many answers of one kind.
struct NamedCount {
  std::string_view name;
  std::uint64_t count = 0;
};

// The answers by kind, only those above zero, in the order of ReplyKind.
std::vector<NamedCount> answer_kinds(const stats::ReplyCounts& replies);

}  // namespace volley::report

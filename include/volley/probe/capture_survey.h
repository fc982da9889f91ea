// A first look through a capture file: who probed whom, from which ports.
//
// Invariant: nothing is guessed about loss or time here; the survey only yields
// the plan that a replay is then held against. Grows with the flows of the
// file. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "volley/probe/frame_source.h"
#include "volley/probe/plan.h"
#include "volley/wire/packet.h"

namespace volley::probe {

// What of a file to look at, and what the file can't tell.
struct ReplayRequest {
  std::optional<Protocol> protocol;       // nullopt: the one with the most probes
  std::optional<wire::IpAddress> target;  // nullopt: all
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  std::optional<rss::RssConfig> rss;
  std::string rss_source;
};

// A frame counts as a probe if it is a TCP SYN without ACK, an echo request, the
// first datagram of a UDP flow or one that goes the same way; where a file has
// no SYN, the segments that its capturing host sent.
class CaptureSurvey final : public FrameHandler {
 public:
  void on_frame(const CapturedFrame& frame) override;

  // The plan that fits the frames seen; the string says why there is none.
  std::variant<ProbePlan, std::string> plan(const ReplayRequest& request) const;

  std::int64_t first_ns() const { return first_ns_; }
  std::int64_t last_ns() const { return last_ns_; }

 private:
  // Probes of one kind from one address to another's port.
  struct Conversation {
    Protocol protocol = Protocol::tcp;
    std::uint8_t tcp_flags = 0;
    wire::IpAddress source;
    wire::IpAddress target;
    std::uint16_t port = 0;
    friend auto operator<=>(const Conversation&, const Conversation&) = default;
  };
  struct Traffic {
    std::uint64_t probes = 0;
    std::int64_t first_ns = 0;
    std::int64_t last_ns = 0;
    std::uint16_t payload_bytes = 0;
    std::uint8_t ttl = 0;
    std::uint8_t dscp = 0;
    bool dont_fragment = false;
    std::optional<std::uint32_t> first_word;  // of the payload
    bool is_first_word_constant = true;
    bool looks_like_ntp = false;
    std::set<std::uint16_t> source_ports;
  };
  using Conversations = std::map<Conversation, Traffic>;

  void note(const Conversation& conversation, std::uint16_t source_port, std::span<const std::uint8_t> payload,
            std::size_t payload_bytes, std::int64_t time_ns);
  void note_tcp(std::size_t header_bytes, std::int64_t time_ns);
  void note_udp(std::int64_t time_ns);
  static void describe_probes(const Conversations::value_type& sample, ProbePlan& plan);
  std::vector<const Conversations::value_type*> chosen(const ReplayRequest& request) const;

  Conversations conversations_;
  // UDP flows by the direction in which they were first seen.
  std::set<std::tuple<wire::IpAddress, wire::IpAddress, std::uint16_t, std::uint16_t>> udp_flows_;
  wire::DecodedPacket packet_;
  std::int64_t first_ns_ = 0;
  std::int64_t last_ns_ = 0;
};

}  // namespace volley::probe

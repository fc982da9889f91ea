// The plan of a run: everything that is decided before the first probe leaves.
//
// Invariant: a ProbePlan that make_plan returned is consistent and never
// changes afterwards. Plain values; any thread may read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "volley/rss/config.h"
#include "volley/wire/address.h"

namespace volley::probe {

enum class Protocol : std::uint8_t { tcp, udp, icmp };

enum class UdpPayload : std::uint8_t {
  sized,   // `payload_bytes` bytes that begin with the probe id, as far as it fits
  dns,     // a query whose id is the probe id's low half
  ntp,     // a client request whose transmit timestamp is the probe id
  echo,    // like sized, but never shorter than the id: RFC 862 servers return it
  custom,  // `custom_payload`, sent as it is: a reply is known by its flow alone
};

// One address and destination port: one result of the run.
struct Destination {
  wire::IpAddress address;
  std::uint16_t port = 0;             // 0 for ICMP
  wire::IpAddress source;             // the address that the kernel's route gives, or -S
  std::uint32_t interface_index = 0;  // where the route leaves
  std::string interface_name;
  std::uint32_t scope_id = 0;  // of a link-local address, else 0
  std::uint32_t mtu_bytes = 0;
  std::string name;  // as the user wrote the host
};

// The settings as asked for; make_plan fills in what was left open.
struct PlanRequest {
  Protocol protocol = Protocol::tcp;
  std::vector<Destination> destinations;
  std::uint16_t first_source_port = 32768;
  std::uint16_t last_source_port = 65535;
  // --source-ports as a list rather than a range: exactly these, in any order.
  std::vector<std::uint16_t> listed_source_ports;
  std::uint32_t source_port_count = 0;    // 0: sized by port_set.h
  std::vector<std::uint16_t> held_ports;  // in use by local sockets: left out, and reported
  std::optional<double> rate_pps;         // nullopt: default; see kDefaultRatePps
  bool rate_is_max = false;
  std::optional<std::chrono::nanoseconds> interval;
  std::optional<std::uint64_t> count;                // per destination
  std::optional<std::chrono::nanoseconds> duration;  // 0: until interrupted
  std::chrono::nanoseconds timeout = std::chrono::seconds(1);
  std::uint64_t seed = 0;
  // Drawn afresh for each run, even under a given seed: goes into the key of the
  // probe ids alone, so that two runs with one seed don't take each other's replies.
  std::uint64_t id_nonce = 0;
  std::uint8_t ttl = 64;
  std::uint8_t dscp = 0;  // 0 to 63
  std::uint8_t tcp_flags = 0x02;
  std::uint16_t payload_bytes = 0;
  bool payload_bytes_given = false;
  bool dont_fragment = false;
  UdpPayload udp_payload = UdpPayload::sized;
  std::vector<std::uint8_t> custom_payload;
  std::optional<rss::RssConfig> rss;
  std::string rss_source;                  // what the user named: a file, "-" or a key
  std::optional<rss::QueueId> only_queue;  // --queue: source ports of this queue alone
  bool allow_public_rate = false;          // --force
};

inline constexpr double kDefaultRatePps = 1000.0;
inline constexpr std::chrono::seconds kDefaultDuration{10};

struct ProbePlan {
  Protocol protocol = Protocol::tcp;
  std::vector<Destination> destinations;
  // The port set, ascending; empty for ICMP. The same for every destination.
  std::vector<std::uint16_t> source_ports;
  // Base and width of the aligned block that source_ports was taken from:
  // ports are base + 0 .. 2^port_bits - 1, less the held ones.
  std::uint16_t port_base = 0;
  std::uint8_t port_bits = 0;
  std::vector<std::uint16_t> skipped_ports;  // inside the block, held by local sockets
  double rate_pps = kDefaultRatePps;         // of the whole run; 0: as fast as the machine goes
  std::uint64_t count = 0;                   // per destination; 0: no limit
  std::chrono::nanoseconds duration{0};      // 0: no limit
  std::chrono::nanoseconds timeout{0};
  std::uint64_t seed = 0;
  std::uint64_t id_nonce = 0;
  std::uint8_t ttl = 64;
  std::uint8_t dscp = 0;
  std::uint8_t tcp_flags = 0x02;
  std::uint16_t payload_bytes = 0;  // what each probe carries, whatever its kind of payload
  bool dont_fragment = false;
  UdpPayload udp_payload = UdpPayload::sized;
  std::vector<std::uint8_t> custom_payload;
  std::optional<rss::RssConfig> rss;
  std::string rss_source;
  std::optional<rss::QueueId> only_queue;
  // What the user should know before the numbers: ports that come round sooner
  // than the timeout or than half-open entries live, queues without a port.
  std::vector<std::string> warnings;
};

// All conflicts of the request at once, one plain sentence each; never empty.
using PlanErrors = std::vector<std::string>;

// Pure. Sizes the port set by STATISTICS section 1, aligns it, leaves out held
// ports, with only_queue keeps the queue's ports, and checks everything.
std::variant<ProbePlan, PlanErrors> make_plan(const PlanRequest& request);

// Total probes of the run if a count bounds it, else what rate x duration
// gives; 0 if nothing bounds it.
std::uint64_t planned_probes(const ProbePlan& plan);

// The remote queue of a probe by plan.rss (which must be set).
rss::QueueId remote_queue(const ProbePlan& plan, const Destination& destination, std::uint16_t source_port);

}  // namespace volley::probe

// Sentences on what a configuration means; see the header. Pure; any thread.
#include "volley/rss/caveats.h"

#include "volley/rss/known_keys.h"

namespace volley::rss {
namespace {

// mlx5's smallest table; smaller ones can't be one of its.
constexpr std::size_t kMlx5TableEntries = 256;

bool hides_nothing(const RssConfig& config) {
  return config.function != HashFunction::toeplitz || config.transform != InputTransform::none ||
         config.table.size() < kMlx5TableEntries;
}

std::string device_of(const EthtoolRss& rss) {
  return rss.interface_name.empty() ? "DEV" : rss.interface_name;
}

}  // namespace

bool cancels_out(const RssConfig& config) {
  return config.function == HashFunction::toeplitz && config.transform == InputTransform::symmetric_xor &&
         is_symmetric_key(config.key);
}

std::vector<std::string> doubts_of(const RssConfig& config) {
  std::vector<std::string> doubts;
  switch (config.function) {
    case HashFunction::toeplitz:
      break;
    case HashFunction::xor8:
      doubts.emplace_back(
          "hash function xor: computed as mlx5's driver suggests, not verified on hardware; other drivers' xor "
          "differs");
      break;
    case HashFunction::crc32:
      doubts.emplace_back(
          "hash function crc32: no driver publishes which CRC-32 it is; the one of IEEE 802.3 is taken");
      break;
  }
  if (config.key_name == "ena-fixed") {
    doubts.emplace_back(
        "key ena-fixed: these EC2 instances order addresses and ports by size and mirror the low 16 bits, which volley "
        "does not compute");
  }
  if (cancels_out(config)) {
    doubts.emplace_back("this key and symmetric-xor cancel out: every flow has hash 0, and one queue gets them all");
  }
  return doubts;
}

std::vector<std::string> caveats_of(const EthtoolRss& rss) {
  const auto& config = rss.config;
  std::vector<std::string> caveats;
  if (rss.udp_fields_source == FieldsSource::assumed) {
    caveats.push_back(
        "udp ports are assumed to be hashed, but ixgbe, igb, igc, e1000e, bnx2x and vmxnet3 hash addresses alone "
        "unless told otherwise: append what ethtool -n " +
        device_of(rss) + " rx-flow-hash udp4 prints");
  }
  if (rss.rss_context != 0) {
    caveats.push_back("the hashed fields are those of RSS context " + std::to_string(rss.rss_context) +
                      ": the table must be its table too");
  }
  if (config.key_name == "microsoft") {
    caveats.emplace_back(
        "Hyper-V's netvsc has this key; it asks its host to hash TCP alone, though ethtool -n shows ports for UDP");
  }
  if (is_symmetric_key(config.key) && !cancels_out(config)) {
    caveats.emplace_back("both directions of a flow have the same hash, whose high 16 bits repeat the low ones");
  }
  if (!hides_nothing(config)) {
    caveats.emplace_back("if the NIC is an mlx5: kernels before 7.2 may hash with symmetric-or-xor without showing it");
  }
  caveats.emplace_back(
      "not every NIC does what it shows (seen: virtio guests with Linux 6.1; reported: ena, gve): volley probe --rss "
      "tests it against what it measures");
  return caveats;
}

}  // namespace volley::rss

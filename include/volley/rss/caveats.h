// What is known about NICs that don't do what their RSS settings say, and what
// a configuration means for a measurement: sentences for the user.
//
// Pure; any thread. Sentences are without period; sources: Linux 6.12 and 7.2
// drivers, DPDK, tests with virtio guests.
#pragma once

#include <string>
#include <vector>

#include "volley/rss/config.h"
#include "volley/rss/ethtool.h"

namespace volley::rss {

// Reasons why a prediction by this configuration may well be wrong; usually none.
std::vector<std::string> doubts_of(const RssConfig& config);

// True if every flow has the same hash: a symmetric key under symmetric-xor.
bool cancels_out(const RssConfig& config);

// What else a reader of the configuration should know, doubts_of not included.
std::vector<std::string> caveats_of(const EthtoolRss& rss);

}  // namespace volley::rss

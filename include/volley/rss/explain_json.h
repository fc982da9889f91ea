// The answers of `volley rss` as JSON, schema volley.rss/1.
//
// Pure; any thread. Keys may be added within a schema number; none changes its
// type or meaning. Absent is null; ratios are 0 to 1.
#pragma once

#include <string>
#include <string_view>

#include "volley/rss/explain.h"

namespace volley::rss {

// One object, ending in a newline.
std::string to_json(const RssAnswer& answer, std::string_view version);

}  // namespace volley::rss

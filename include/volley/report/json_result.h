// One destination's results as JSON.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "volley/report/document.h"

namespace volley::report {

// `index` is the destination's in the result.
nlohmann::ordered_json result_json(const Document& document, std::uint32_t index, const JsonOptions& options);

}  // namespace volley::report

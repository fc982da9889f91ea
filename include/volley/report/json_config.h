// The part of the JSON report that says how the run was made: its effective
// options and its source.
//
// Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "volley/report/document.h"

namespace volley::report {

// By the options' long names; times carry their unit. `rate` null: as fast as
// the machine goes; `count`, `duration_ns` null: no limit.
nlohmann::ordered_json config_json(const probe::ProbePlan& plan);

// {address, interface, link}: null where the destinations differ or it isn't known.
nlohmann::ordered_json source_json(const Document& document);

}  // namespace volley::report

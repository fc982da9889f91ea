// A destination that answered nothing at all: what that can mean here.
//
// Counts, no statistics. Pure; any thread.
#pragma once

#include <optional>

#include "volley/diagnosis/finding.h"
#include "volley/diagnosis/subject.h"

namespace volley::diagnosis {

std::optional<Finding> find_no_answer(const Subject& subject);

}  // namespace volley::diagnosis

// A moment of the wall clock as text: RFC 3339 in UTC with milliseconds.
//
// Pure: no clock, no locale, no time zone database; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace volley::report {

// `realtime_ns` is CLOCK_REALTIME: nanoseconds since 1970, leap seconds not
// counted. "2024-05-01T12:00:00.123Z"; cut, not rounded, to the millisecond.
std::string rfc3339(std::int64_t realtime_ns);

}  // namespace volley::report

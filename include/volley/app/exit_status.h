// Exit statuses of probe, trace, read and rss; the man page lists the same.
// (`check` has the monitoring plugins' own.)
#pragma once

namespace volley::app::exit_status {

inline constexpr int kAnswered = 0;         // every target answered
inline constexpr int kNoAnswer = 1;         // a target did not answer at all
inline constexpr int kUsage = 2;            // wrong usage
inline constexpr int kCouldNotMeasure = 3;  // name, permission, interface, blocked locally, nothing sent

}  // namespace volley::app::exit_status

// The life of a run: one sender thread, one receiver thread, and what the main
// thread may ask of them meanwhile. The only file that starts threads.
//
// Invariant: both threads are joined before finish() returns or the session is
// destroyed, on every path. All functions are the main thread's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volley/app/reply_log.h"
#include "volley/probe/frame_sink.h"
#include "volley/probe/frame_source.h"
#include "volley/probe/plan.h"
#include "volley/stats/aggregator.h"
#include "volley/stats/run_result.h"

namespace volley::app {

enum class Waiting : std::uint8_t { sleep, spin };

// What to do when this host's resets are not seen leaving.
enum class MissingResets : std::uint8_t { stop, go_on };

struct SessionParts {
  const probe::ProbePlan& plan;
  probe::FrameSink& sink;              // used by the sender thread alone
  probe::FrameSource& source;          // used by the receiver thread alone, ready to capture
  probe::FrameHandler* tap = nullptr;  // sees each captured frame too (--write), on the receiver thread
  ReplyLog* reply_log = nullptr;       // gets each answered probe (-v)
  Waiting waiting = Waiting::sleep;
  MissingResets missing_resets = MissingResets::stop;
};

class Session {
 public:
  // Starts sending at once.
  explicit Session(const SessionParts& parts);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Stops sending; what has arrived by now still counts, what is in flight is
  // reported as that.
  void interrupt();

  // True once every probe has its outcome; finish() then doesn't wait.
  bool is_done() const;

  stats::Progress progress() const;
  std::int64_t elapsed_ns() const;

  // A result of what was measured so far; waits for the receiver's next turn.
  // nullopt if the run ended meanwhile.
  std::optional<stats::RunResult> snapshot();

  // Waits for the end and gives the result. Throws what a thread threw.
  stats::RunResult finish();

  // What the user should know of how the run went, a sentence each; after finish().
  std::vector<std::string> notes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::app

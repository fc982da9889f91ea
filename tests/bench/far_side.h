// What the XDP programs of the bench's lab and their loader agree on: the
// settings and the counters, as the maps hold them.
//
// C and C++ alike, without includes. Constant.
#ifndef VOLLEY_TESTS_BENCH_FAR_SIDE_H
#define VOLLEY_TESTS_BENCH_FAR_SIDE_H

enum far_side_mode {
  FAR_SIDE_REFLECT,  // answer every probe
  FAR_SIDE_SINK,     // drop every probe
};

// One counter of each for the far side's interface (what the tool sent) and for
// the near side's (what came back to it).
enum frame_kind {
  KIND_SYN,
  KIND_SYN_ACK,
  KIND_RESET,
  KIND_OTHER_TCP,
  KIND_UDP,
  KIND_ECHO_REQUEST,
  KIND_ECHO_REPLY,
  KIND_OTHER,
  KIND_COUNT,
};

enum side {
  SIDE_FAR,
  SIDE_NEAR,
  SIDE_COUNT,
};

#endif

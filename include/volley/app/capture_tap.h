// --write: keeps each captured frame of the run in a file that tcpdump,
// wireshark and `volley read` can read.
//
// Receiver thread, after it was made in the main thread.
#pragma once

#include "volley/net/capture_file.h"
#include "volley/probe/frame_source.h"

namespace volley::app {

class CaptureTap final : public probe::FrameHandler {
 public:
  explicit CaptureTap(net::PcapFileWriter& writer) : writer_(writer) {}
  // Frames that carry no IP packet are left out.
  void on_frame(const probe::CapturedFrame& frame) override;

 private:
  net::PcapFileWriter& writer_;
};

}  // namespace volley::app

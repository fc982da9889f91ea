// What the NIC saw, frame by frame: a CSV log and captures of both directions.
//
// Optional; the hot path only appends to a buffer of 64 KiB, which goes to its
// file when full. A failed write throws std::system_error: a truth with holes is
// none. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "held_frames.h"

namespace lab {

// A file that is written through a buffer.
class BufferedFile {
 public:
  explicit BufferedFile(const std::string& path);
  ~BufferedFile();
  BufferedFile(const BufferedFile&) = delete;
  BufferedFile& operator=(const BufferedFile&) = delete;

  void append(std::string_view bytes);
  void flush();

 private:
  std::string path_;
  int fd_;
  std::string buffer_;
};

struct RecorderConfig {
  std::string log;   // CSV; empty: none
  std::string pcap;  // prefix of four files, .to-target.read.pcap and so on; empty: none
};

class Recorder {
 public:
  explicit Recorder(const RecorderConfig& config);

  // The stamps are wall-clock nanoseconds: after a frame was read, before it is
  // written.
  void read(const Frame& frame);
  void written(const Frame& frame, Nanoseconds wall);
  // One line of the log; written_at 0: it was not.
  void finished(const Frame& frame, Nanoseconds written_at);
  void flush();
  bool has_log() const { return log_ != nullptr; }

 private:
  using Captures = std::array<std::unique_ptr<BufferedFile>, 2>;  // by direction

  std::unique_ptr<BufferedFile> log_;
  Captures read_;
  Captures written_;
};

std::string_view direction_name(Direction direction);

// Replaces the file at once, so that a reader sees all of it or none.
void replace_file(const std::string& path, std::string_view content);

}  // namespace lab

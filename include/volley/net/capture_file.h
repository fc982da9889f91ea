// Capture files: the FrameSource of `volley read`, and the writer of --write.
//
// Reads what libpcap reads (pcap and pcapng, micro- and nanoseconds); writes
// pcap with nanosecond stamps and Linux cooked v2 framing, which holds frames of
// all interfaces and their direction. Each object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "volley/probe/frame_source.h"

namespace volley::net {

class PcapFileSource final : public probe::FrameSource {
 public:
  // "-" is standard input. What can't be read twice (a pipe) is first copied
  // to an unnamed temporary file. Throws SetupError ("read x.pcap: ...").
  explicit PcapFileSource(const std::string& path);
  ~PcapFileSource() override;
  PcapFileSource(const PcapFileSource&) = delete;
  PcapFileSource& operator=(const PcapFileSource&) = delete;

  // Hands over the next frames, kBatch at most; 0 at the end. `wait` is not used.
  static constexpr std::size_t kBatch = 4096;
  std::size_t poll(std::chrono::nanoseconds wait, probe::FrameHandler& handler) override;
  std::chrono::nanoseconds hold_back() const override;
  probe::CaptureCounters counters() override;

  // Back to the first frame. Throws SetupError.
  void rewind();
  bool is_at_end() const;
  // Why reading ended before the end of the file ("x.pcap: truncated ..."); empty: it didn't.
  const std::string& failure() const;
  wire::LinkType link_type() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class PcapFileWriter {
 public:
  // Makes or truncates the file. "-" is standard output. Throws SetupError ("write x.pcap: ...").
  explicit PcapFileWriter(const std::string& path);
  ~PcapFileWriter();
  PcapFileWriter(const PcapFileWriter&) = delete;
  PcapFileWriter& operator=(const PcapFileWriter&) = delete;

  // One frame: its cooked v2 header and the packet from the IP header on, as
  // far as captured; `wire_length` counts the IP packet alone. Buffered. After
  // a write error it does nothing.
  void write(std::int64_t time_ns, std::span<const std::uint8_t> sll2_header, std::span<const std::uint8_t> packet,
             std::uint32_t wire_length);

  // Writes out the buffer and closes. The first error of all writes
  // ("write x.pcap: No space left on device"), or nullopt.
  std::optional<std::string> close();
  std::uint64_t frames_written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace volley::net

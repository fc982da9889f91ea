// Tests of capture files: what is written is read back, and damaged or foreign
// files get an error that helps. Files live in a temporary directory.
#include "volley/net/capture_file.h"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "volley/net/error.h"
#include "volley/net/signals.h"

using namespace volley;
using namespace volley::net;

namespace {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "volley-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
    REQUIRE_FALSE(path_.empty());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string file(const char* name) const { return (path_ / name).string(); }
  std::string file(const char* name, const std::string& content) const {
    std::ofstream(file(name), std::ios::binary) << content;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

struct Kept {
  std::int64_t time_ns;
  wire::LinkType link_type;
  std::vector<std::uint8_t> bytes;
  std::uint32_t wire_length;
};

class Keeper final : public probe::FrameHandler {
 public:
  void on_frame(const probe::CapturedFrame& frame) override {
    kept.push_back({frame.time_ns, frame.link_type, {frame.bytes.begin(), frame.bytes.end()}, frame.wire_length});
  }
  std::vector<Kept> kept;
};

std::vector<Kept> read_all(PcapFileSource& source) {
  Keeper keeper;
  while (source.poll(std::chrono::nanoseconds(0), keeper) > 0) {
  }
  return keeper.kept;
}

// A pcap file in big-endian order with microseconds, link type Ethernet, one frame of 4 of 60 bytes.
std::string big_endian_microseconds(char link_type) {
  const std::string zeros(8, '\0');
  return std::string("\xa1\xb2\xc3\xd4\x00\x02\x00\x04", 8) + zeros + std::string("\x00\x00\xff\xff\x00\x00\x00", 7) +
         link_type + std::string("\x65\x00\x00\x01\x00\x00\x00\x07\x00\x00\x00\x04\x00\x00\x00\x3c", 16) + "abcd";
}

const std::vector<std::uint8_t> kHeader(20, 0x11);

}  // namespace

TEST_CASE("frames come back as they were written", "[net]") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.pcap");
  constexpr std::int64_t kTime = 1'700'000'000'123'456'789;
  constexpr int kFrames = 10000;
  {
    PcapFileWriter writer(path);
    for (int i = 0; i < kFrames; ++i) {
      const std::vector<std::uint8_t> packet(static_cast<std::size_t>(40 + i % 100), static_cast<std::uint8_t>(i));
      writer.write(kTime + i, kHeader, packet, 1500);
    }
    CHECK(writer.frames_written() == kFrames);
    CHECK(writer.close() == std::nullopt);
    CHECK(writer.close() == std::nullopt);
  }
  PcapFileSource source(path);
  CHECK(source.link_type() == wire::LinkType::linux_cooked_v2);
  for (int pass = 0; pass < 2; ++pass) {
    const auto kept = read_all(source);
    REQUIRE(kept.size() == kFrames);
    CHECK(kept[1].time_ns == kTime + 1);
    CHECK(kept[7].bytes.size() == 20 + 47);
    CHECK(kept[7].bytes[0] == 0x11);
    CHECK(kept[7].bytes[20] == 7);
    CHECK(kept[7].wire_length == 1520);
    CHECK(source.is_at_end());
    CHECK(source.failure().empty());
    source.rewind();
    CHECK_FALSE(source.is_at_end());
  }
  CHECK(source.counters().received == 2 * kFrames);
}

TEST_CASE("one poll hands over a batch", "[net]") {
  const TemporaryDirectory directory;
  const std::string path = directory.file("x.pcap");
  PcapFileWriter writer(path);
  for (std::size_t i = 0; i < PcapFileSource::kBatch + 1; ++i) writer.write(0, kHeader, kHeader, 20);
  REQUIRE_FALSE(writer.close());
  PcapFileSource source(path);
  Keeper keeper;
  CHECK(source.poll(std::chrono::nanoseconds(0), keeper) == PcapFileSource::kBatch);
  CHECK(source.poll(std::chrono::nanoseconds(0), keeper) == 1);
  CHECK(source.poll(std::chrono::nanoseconds(0), keeper) == 0);
}

TEST_CASE("microseconds and the other byte order are read", "[net]") {
  const TemporaryDirectory directory;
  PcapFileSource source(directory.file("be.pcap", big_endian_microseconds(1)));
  const auto kept = read_all(source);
  REQUIRE(kept.size() == 1);
  CHECK(kept[0].time_ns == 0x65000001LL * 1'000'000'000 + 7000);
  CHECK(kept[0].link_type == wire::LinkType::ethernet);
  CHECK(kept[0].bytes.size() == 4);
  CHECK(kept[0].wire_length == 60);
}

TEST_CASE("a pipe can be read twice", "[net]") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const std::string content = big_endian_microseconds(1);
  REQUIRE(write(ends[1], content.data(), content.size()) == static_cast<ssize_t>(content.size()));
  close(ends[1]);
  PcapFileSource source("/proc/self/fd/" + std::to_string(ends[0]));
  CHECK(read_all(source).size() == 1);
  source.rewind();
  CHECK(read_all(source).size() == 1);
  close(ends[0]);
}

TEST_CASE("a file that was cut short yields its whole frames and says so", "[net]") {
  const TemporaryDirectory directory;
  const std::string whole = big_endian_microseconds(1);
  const std::string path = directory.file("cut.pcap", whole + whole.substr(24, 18));
  PcapFileSource source(path);
  CHECK(read_all(source).size() == 1);
  CHECK(source.is_at_end());
  CHECK(source.failure().find("read " + path + ": truncated") == 0);
}

TEST_CASE("what is no capture file gets an error that helps", "[net]") {
  using Catch::Contains;
  using Catch::Equals;
  const TemporaryDirectory directory;
  const auto open = [](const std::string& path) { PcapFileSource source(path); };
  const std::string missing = directory.file("missing.pcap");
  CHECK_THROWS_WITH(open(missing), Equals("read " + missing + ": No such file or directory"));
  const std::string here = directory.file(".");
  CHECK_THROWS_WITH(open(here), Equals("read " + here + ": it is a directory"));
  CHECK_THROWS_WITH(open(directory.file("text", "this is no capture file")), Contains("unknown file format"));
  CHECK_THROWS_WITH(open(directory.file("empty", "")), Contains("truncated"));
  CHECK_THROWS_WITH(open(directory.file("wifi.pcap", big_endian_microseconds(127))),
                    Contains("link type IEEE802_11_RADIO is not supported"));
  const std::string packed = directory.file("x.pcap.gz", std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8));
  CHECK_THROWS_WITH(open(packed),
                    Equals("read " + packed + ": it is compressed; try: zcat " + packed + " | volley read -"));
  CHECK_THROWS_AS(open(packed), SetupError);
}

TEST_CASE("a file that can't be written is refused at once", "[net]") {
  // The file header alone fills this device.
  CHECK_THROWS_WITH(PcapFileWriter("/dev/full"), Catch::Equals("write /dev/full: No space left on device"));
  const TemporaryDirectory directory;
  const std::string path = directory.file("no-such-directory/x.pcap");
  CHECK_THROWS_WITH(PcapFileWriter(path), Catch::Equals("write " + path + ": No such file or directory"));
}

TEST_CASE("an error in the middle ends writing and is told at the end", "[net]") {
  const SignalWatch watch;  // a closed pipe is an error then, not a signal
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const std::string path = "/proc/self/fd/" + std::to_string(ends[1]);
  PcapFileWriter writer(path);
  close(ends[0]);
  const std::vector<std::uint8_t> packet(1000, 0);
  for (int i = 0; i < 3000; ++i) writer.write(i, kHeader, packet, 1000);
  CHECK(writer.frames_written() < 3000);
  CHECK(writer.close() == "write " + path + ": Broken pipe");
  CHECK(writer.close() == "write " + path + ": Broken pipe");
  close(ends[1]);
}

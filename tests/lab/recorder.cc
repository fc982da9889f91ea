// Writes the log and the captures. See the header for threads.
#include "recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "impairment.h"

namespace lab {
namespace {

constexpr std::size_t kBufferBytes = 65536;
constexpr mode_t kFileMode = 0644;
constexpr Nanoseconds kSecond = 1'000'000'000;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

int create(const std::string& path) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
  if (fd < 0) {
    fail("create " + path);
  }
  return fd;
}

void write_all(int fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      fail("write " + path);
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
}

template <typename Number>
void put(std::string& line, Number number, char end = ',') {
  std::array<char, 24> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), number);
  line.append(text.data(), result.ptr);
  line += end;
}

template <typename Value>
void put_raw(std::string& bytes, Value value) {
  std::array<char, sizeof value> raw{};
  std::memcpy(raw.data(), &value, sizeof value);
  bytes.append(raw.data(), raw.size());
}

// pcap with nanosecond stamps, in this machine's byte order (the magic says which).
std::string pcap_header() {
  constexpr std::uint32_t kMagicNanoseconds = 0xa1b23c4d;
  constexpr std::uint32_t kSnapshotLength = 262144;
  constexpr std::uint32_t kLinkEthernet = 1;
  std::string bytes;
  put_raw(bytes, kMagicNanoseconds);
  put_raw(bytes, std::uint16_t{2});
  put_raw(bytes, std::uint16_t{4});
  put_raw(bytes, std::uint64_t{0});
  put_raw(bytes, kSnapshotLength);
  put_raw(bytes, kLinkEthernet);
  return bytes;
}

void capture(BufferedFile& file, const Frame& frame, Nanoseconds wall) {
  std::string record;
  const auto length = static_cast<std::uint32_t>(frame.bytes.size());
  put_raw(record, static_cast<std::uint32_t>(wall / kSecond));
  put_raw(record, static_cast<std::uint32_t>(wall % kSecond));
  put_raw(record, length);
  put_raw(record, length);
  record.append(frame.bytes.begin(), frame.bytes.end());
  file.append(record);
}

}  // namespace

BufferedFile::BufferedFile(const std::string& path) : path_(path), fd_(create(path)) {
  buffer_.reserve(kBufferBytes);
}

BufferedFile::~BufferedFile() {
  close(fd_);
}

void BufferedFile::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    flush();
  }
  buffer_ += bytes;
}

void BufferedFile::flush() {
  write_all(fd_, buffer_, path_);
  buffer_.clear();
}

Recorder::Recorder(const RecorderConfig& config) {
  if (!config.log.empty()) {
    log_ = std::make_unique<BufferedFile>(config.log);
    log_->append(
        "read_ns,written_ns,direction,queue,reverse_queue,kind,action,source,source_port,destination,"
        "destination_port,seq,ack,ip_id,tcp_flags,bytes\n");
  }
  if (config.pcap.empty()) {
    return;
  }
  for (const Direction direction : {Direction::to_target, Direction::to_client}) {
    const auto index = static_cast<std::size_t>(direction);
    const std::string prefix = config.pcap + "." + std::string(direction_name(direction));
    read_[index] = std::make_unique<BufferedFile>(prefix + ".read.pcap");
    written_[index] = std::make_unique<BufferedFile>(prefix + ".written.pcap");
    read_[index]->append(pcap_header());
    written_[index]->append(pcap_header());
  }
}

void Recorder::read(const Frame& frame) {
  if (const auto& file = read_[static_cast<std::size_t>(frame.direction)]) {
    capture(*file, frame, frame.read_at);
  }
}

void Recorder::written(const Frame& frame, Nanoseconds wall) {
  if (const auto& file = written_[static_cast<std::size_t>(frame.direction)]) {
    capture(*file, frame, wall);
  }
}

void Recorder::finished(const Frame& frame, Nanoseconds written_at) {
  if (!log_ || frame.facts.kind == Kind::untouched) {
    return;
  }
  const FrameFacts& facts = frame.facts;
  std::string line;
  put(line, frame.read_at);
  put(line, written_at);
  line += direction_name(frame.direction);
  line += ',';
  put(line, frame.queue);
  put(line, frame.reverse_queue);
  line += kind_name(facts.kind);
  line += ',';
  line += action_text(frame.actions);
  line += ',';
  line += address_text(facts, facts.source);
  line += ',';
  put(line, facts.source_port);
  line += address_text(facts, facts.destination);
  line += ',';
  put(line, facts.destination_port);
  put(line, facts.sequence);
  put(line, facts.acknowledgement);
  put(line, facts.ip_id);
  put(line, static_cast<unsigned>(facts.tcp_flags));
  put(line, frame.bytes.size(), '\n');
  log_->append(line);
}

void Recorder::flush() {
  if (log_) {
    log_->flush();
  }
  for (const Captures* captures : {&read_, &written_}) {
    for (const auto& file : *captures) {
      if (file) {
        file->flush();
      }
    }
  }
}

std::string_view direction_name(Direction direction) {
  return direction == Direction::to_target ? "to-target" : "to-client";
}

void replace_file(const std::string& path, std::string_view content) {
  const std::string fresh = path + ".new";
  const int fd = create(fresh);
  write_all(fd, content, fresh);
  close(fd);
  if (std::rename(fresh.c_str(), path.c_str()) != 0) {
    fail("replace " + path);
  }
}

}  // namespace lab

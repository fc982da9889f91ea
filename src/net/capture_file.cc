// Capture files through libpcap, and a writer of its own for cooked v2 frames.
// Each object belongs to one thread.
#include "volley/net/capture_file.h"

#include <fcntl.h>
#include <pcap/pcap.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "volley/net/error.h"
#include "volley/net/link_types.h"

namespace volley::net {

namespace {

constexpr std::size_t kCopyBytes = 1 << 16;
// Enough for a second of 10,000/s; a larger one only makes each write longer.
constexpr std::size_t kWriteBufferBytes = 1 << 20;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

// A file with this content that has no name and is gone with its last user.
File spooled(std::FILE* from, const std::string& what) {
  File copy(std::tmpfile());
  if (!copy) throw SetupError(describe_errno(what + ": make a temporary file", errno));
  std::vector<char> buffer(kCopyBytes);
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), from)) > 0;) {
    if (std::fwrite(buffer.data(), 1, got, copy.get()) != got) {
      throw SetupError(describe_errno(what + ": copy to a temporary file", errno));
    }
  }
  if (std::ferror(from) != 0) throw SetupError(describe_errno(what, errno));
  if (std::fflush(copy.get()) != 0) throw SetupError(describe_errno(what + ": copy to a temporary file", errno));
  return copy;
}

// Compressed captures are common, and libpcap's words for them are not helpful.
void refuse_compressed(std::FILE* file, const std::string& path) {
  std::array<unsigned char, 4> magic{};
  const std::size_t got = std::fread(magic.data(), 1, magic.size(), file);
  std::rewind(file);
  constexpr std::array<unsigned char, 2> kGzip{0x1f, 0x8b};
  constexpr std::array<unsigned char, 4> kZstd{0x28, 0xb5, 0x2f, 0xfd};
  constexpr std::array<unsigned char, 4> kXz{0xfd, '7', 'z', 'X'};
  const auto begins_with = [&](const auto& bytes) {
    return got >= bytes.size() && std::memcmp(magic.data(), bytes.data(), bytes.size()) == 0;
  };
  const char* tool = begins_with(kGzip)   ? "zcat"
                     : begins_with(kZstd) ? "zstdcat"
                     : begins_with(kXz)   ? "xzcat"
                                          : nullptr;
  if (tool == nullptr) return;
  throw SetupError("read " + path + ": it is compressed; try: " + tool + " " + path + " | volley read -");
}

}  // namespace

struct PcapFileSource::State {
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (pcap != nullptr) pcap_close(pcap);
  }

  void open();

  std::string what;  // "read x.pcap"
  File file;
  pcap_t* pcap = nullptr;
  wire::LinkType link_type = wire::LinkType::ethernet;
  std::uint64_t received = 0;
  bool is_at_end = false;
  std::string failure;
};

// libpcap closes the stream that it was given, so it gets one of its own.
void PcapFileSource::State::open() {
  if (pcap != nullptr) pcap_close(pcap);
  pcap = nullptr;
  std::rewind(file.get());
  const int descriptor = fcntl(fileno(file.get()), F_DUPFD_CLOEXEC, 0);
  std::FILE* own = descriptor < 0 ? nullptr : fdopen(descriptor, "rb");
  if (own == nullptr) {
    const int system_error = errno;
    if (descriptor >= 0) close(descriptor);
    throw SetupError(describe_errno(what, system_error));
  }
  // Both share one position in the file.
  std::rewind(own);
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  pcap = pcap_fopen_offline_with_tstamp_precision(own, PCAP_TSTAMP_PRECISION_NANO, error.data());
  if (pcap == nullptr) {
    std::fclose(own);
    throw SetupError(what + ": " + error.data());
  }
  const auto type = link_type_of(pcap_datalink(pcap));
  if (!type) throw SetupError(what + ": link type " + link_type_name(pcap_datalink(pcap)) + " is not supported");
  link_type = *type;
  is_at_end = false;
  failure.clear();
}

PcapFileSource::PcapFileSource(const std::string& path) : state_(std::make_unique<State>()) {
  const bool is_stdin = path == "-";
  state_->what = "read " + (is_stdin ? std::string("standard input") : path);
  if (is_stdin) {
    state_->file = spooled(stdin, state_->what);
  } else {
    state_->file.reset(std::fopen(path.c_str(), "rbe"));
    if (!state_->file) throw SetupError(describe_errno(state_->what, errno));
    struct stat status {};
    if (fstat(fileno(state_->file.get()), &status) == 0 && S_ISDIR(status.st_mode)) {
      throw SetupError(state_->what + ": it is a directory");
    }
    if (!S_ISREG(status.st_mode)) state_->file = spooled(state_->file.get(), state_->what);
  }
  refuse_compressed(state_->file.get(), is_stdin ? "FILE" : path);
  state_->open();
}

PcapFileSource::~PcapFileSource() = default;

std::size_t PcapFileSource::poll(std::chrono::nanoseconds, probe::FrameHandler& handler) {
  std::size_t count = 0;
  while (count < kBatch && !state_->is_at_end) {
    pcap_pkthdr* header = nullptr;
    const u_char* bytes = nullptr;
    const int status = pcap_next_ex(state_->pcap, &header, &bytes);
    if (status != 1) {
      state_->is_at_end = true;
      if (status == PCAP_ERROR) state_->failure = state_->what + ": " + pcap_geterr(state_->pcap);
      break;
    }
    probe::CapturedFrame frame;
    frame.time_ns = static_cast<std::int64_t>(header->ts.tv_sec) * kNsPerSecond + header->ts.tv_usec;
    frame.link_type = state_->link_type;
    frame.bytes = {bytes, header->caplen};
    frame.wire_length = header->len;
    handler.on_frame(frame);
    ++state_->received;
    ++count;
  }
  return count;
}

std::chrono::nanoseconds PcapFileSource::hold_back() const {
  return std::chrono::nanoseconds(0);
}

probe::CaptureCounters PcapFileSource::counters() {
  // A capture file doesn't say what its capture dropped.
  return {state_->received, 0, 0};
}

void PcapFileSource::rewind() {
  state_->open();
}

bool PcapFileSource::is_at_end() const {
  return state_->is_at_end;
}

const std::string& PcapFileSource::failure() const {
  return state_->failure;
}

wire::LinkType PcapFileSource::link_type() const {
  return state_->link_type;
}

struct PcapFileWriter::State {
  void append(std::span<const std::uint8_t> bytes) { buffer.insert(buffer.end(), bytes.begin(), bytes.end()); }
  template <typename T>
  void append_value(const T& value) {
    std::array<std::uint8_t, sizeof value> bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    append(bytes);
  }
  void flush();

  std::string what;  // "write x.pcap"
  int descriptor = -1;
  bool owns_descriptor = true;
  std::vector<std::uint8_t> buffer;
  std::uint64_t frames = 0;
  int system_error = 0;  // the first of all writes
};

void PcapFileWriter::State::flush() {
  std::span<const std::uint8_t> rest(buffer);
  while (!rest.empty() && system_error == 0) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written >= 0) {
      rest = rest.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      system_error = errno;
    }
  }
  buffer.clear();
}

PcapFileWriter::PcapFileWriter(const std::string& path) : state_(std::make_unique<State>()) {
  State& state = *state_;
  const bool is_stdout = path == "-";
  state.what = "write " + (is_stdout ? std::string("standard output") : path);
  constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;  // less the umask
  state.owns_descriptor = !is_stdout;
  state.descriptor = is_stdout ? STDOUT_FILENO : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode);
  if (state.descriptor < 0) throw SetupError(describe_errno(state.what, errno));
  // The file header of draft-ietf-opsawg-pcap, with the magic for nanoseconds, in this host's order.
  constexpr std::uint32_t kMagicNanoseconds = 0xa1b23c4d;
  constexpr std::uint16_t kMajor = 2;
  constexpr std::uint16_t kMinor = 4;
  constexpr std::uint32_t kLinkTypeSll2 = 276;
  constexpr std::uint32_t kSnapLength = 262144;
  state.buffer.reserve(kWriteBufferBytes + kCopyBytes);
  state.append_value(kMagicNanoseconds);
  state.append_value(kMajor);
  state.append_value(kMinor);
  state.append_value(std::uint32_t{0});
  state.append_value(std::uint32_t{0});
  state.append_value(kSnapLength);
  state.append_value(kLinkTypeSll2);
  state.flush();
  if (state.system_error != 0) {
    if (state.owns_descriptor) ::close(state.descriptor);
    throw SetupError(describe_errno(state.what, state.system_error));
  }
}

PcapFileWriter::~PcapFileWriter() {
  close();
}

void PcapFileWriter::write(std::int64_t time_ns, std::span<const std::uint8_t> sll2_header,
                           std::span<const std::uint8_t> packet, std::uint32_t wire_length) {
  State& state = *state_;
  if (state.system_error != 0 || state.descriptor < 0) return;
  state.append_value(static_cast<std::uint32_t>(time_ns / kNsPerSecond));
  state.append_value(static_cast<std::uint32_t>(time_ns % kNsPerSecond));
  state.append_value(static_cast<std::uint32_t>(sll2_header.size() + packet.size()));
  state.append_value(static_cast<std::uint32_t>(sll2_header.size() + wire_length));
  state.append(sll2_header);
  state.append(packet);
  ++state.frames;
  if (state.buffer.size() >= kWriteBufferBytes) state.flush();
}

std::optional<std::string> PcapFileWriter::close() {
  State& state = *state_;
  if (state.descriptor >= 0) {
    state.flush();
    if (state.owns_descriptor && ::close(state.descriptor) != 0 && state.system_error == 0) state.system_error = errno;
    state.descriptor = -1;
  }
  if (state.system_error == 0) return std::nullopt;
  return describe_errno(state.what, state.system_error);
}

std::uint64_t PcapFileWriter::frames_written() const {
  return state_->frames;
}

}  // namespace volley::net

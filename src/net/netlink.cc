// rtnetlink requests and attribute reading.
// A NetlinkSocket belongs to one thread; reading attributes is pure.
#include "volley/net/netlink.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "volley/net/error.h"

namespace volley::net {

namespace {

// The kernel fills messages of a dump up to 32 kB (NETLINK_GOODSIZE and what the reader offers).
constexpr std::size_t kAnswerBytes = 32768;
// The kernel answers at once; this only keeps a broken one from hanging the program.
constexpr timeval kAnswerTimeout{5, 0};

constexpr std::size_t align4(std::size_t length) {
  return (length + NLA_ALIGNTO - 1) & ~std::size_t{NLA_ALIGNTO - 1};
}

template <typename T>
void append_value(std::vector<std::uint8_t>& bytes, const T& value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

enum class Progress { more, done };

// Takes the messages of one datagram. `error` is set by an error message.
Progress take_messages(std::span<const std::uint8_t> datagram, std::uint32_t sequence,
                       std::vector<NetlinkMessage>& answer, int& error) {
  while (datagram.size() >= sizeof(nlmsghdr)) {
    nlmsghdr header{};
    std::memcpy(&header, datagram.data(), sizeof header);
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > datagram.size()) return Progress::done;
    const auto payload = datagram.subspan(sizeof header, header.nlmsg_len - sizeof header);
    datagram = datagram.subspan(std::min(align4(header.nlmsg_len), datagram.size()));
    if (header.nlmsg_seq != sequence) continue;
    if (header.nlmsg_type == NLMSG_DONE) return Progress::done;
    if (header.nlmsg_type == NLMSG_ERROR) {
      std::int32_t code = 0;
      if (payload.size() >= sizeof code) std::memcpy(&code, payload.data(), sizeof code);
      error = -code;
      return Progress::done;
    }
    answer.push_back({header.nlmsg_type, {payload.begin(), payload.end()}});
    if ((header.nlmsg_flags & NLM_F_MULTI) == 0) return Progress::done;
  }
  return Progress::more;
}

}  // namespace

NetlinkSocket::NetlinkSocket() : descriptor_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
  if (descriptor_ < 0) throw SetupError(describe_errno("open a netlink socket", errno));
  setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
}

NetlinkSocket::~NetlinkSocket() {
  close(descriptor_);
}

int NetlinkSocket::ask(std::uint16_t type, std::uint16_t flags, std::span<const std::uint8_t> payload,
                       std::vector<NetlinkMessage>& answer) {
  answer.clear();
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + payload.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<std::uint16_t>(flags | NLM_F_REQUEST);
  header.nlmsg_seq = ++sequence_;
  std::vector<std::uint8_t> request;
  append_value(request, header);
  request.insert(request.end(), payload.begin(), payload.end());
  const sockaddr_nl kernel{AF_NETLINK, 0, 0, 0};
  sockaddr_storage to{};
  std::memcpy(&to, &kernel, sizeof kernel);
  void* address = &to;
  if (sendto(descriptor_, request.data(), request.size(), 0, static_cast<const sockaddr*>(address), sizeof kernel) <
      0) {
    return errno;
  }
  std::vector<std::uint8_t> buffer(kAnswerBytes);
  int error = 0;
  for (;;) {
    const ssize_t got = recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    const auto datagram = std::span<const std::uint8_t>(buffer).first(static_cast<std::size_t>(got));
    if (take_messages(datagram, sequence_, answer, error) == Progress::done) return error;
  }
}

std::optional<std::span<const std::uint8_t>> NetlinkAttributes::find(std::uint16_t type) const {
  std::optional<std::span<const std::uint8_t>> found;
  auto rest = bytes_;
  while (rest.size() >= sizeof(rtattr)) {
    rtattr header{};
    std::memcpy(&header, rest.data(), sizeof header);
    if (header.rta_len < sizeof header || header.rta_len > rest.size()) break;
    if ((header.rta_type & NLA_TYPE_MASK) == type) found = rest.subspan(sizeof header, header.rta_len - sizeof header);
    rest = rest.subspan(std::min(align4(header.rta_len), rest.size()));
  }
  return found;
}

std::optional<std::uint32_t> NetlinkAttributes::number(std::uint16_t type) const {
  const auto value = find(type);
  std::uint32_t number = 0;
  if (!value || value->size() < sizeof number) return std::nullopt;
  std::memcpy(&number, value->data(), sizeof number);
  return number;
}

std::string NetlinkAttributes::text(std::uint16_t type) const {
  const auto value = find(type);
  std::string text;
  if (value) text.assign(value->begin(), value->end());
  return text.substr(0, text.find('\0'));
}

std::optional<wire::IpAddress> NetlinkAttributes::address(std::uint16_t type) const {
  constexpr std::size_t kV4Bytes = 4;
  constexpr std::size_t kV6Bytes = 16;
  const auto value = find(type);
  if (value && value->size() == kV4Bytes) return wire::IpAddress::from_v4(value->first<kV4Bytes>());
  if (value && value->size() == kV6Bytes) return wire::IpAddress::from_v6(value->first<kV6Bytes>());
  return std::nullopt;
}

void append_attribute(std::vector<std::uint8_t>& message, std::uint16_t type, std::span<const std::uint8_t> value) {
  rtattr header{};
  header.rta_len = static_cast<std::uint16_t>(sizeof header + value.size());
  header.rta_type = type;
  append_value(message, header);
  message.insert(message.end(), value.begin(), value.end());
  message.resize(align4(message.size()));
}

}  // namespace volley::net

// Names to addresses through the system's resolver. Main thread.
#include "volley/net/resolver.h"

#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "volley/net/error.h"

namespace volley::net {

namespace {

std::string_view family_name(FamilyPreference family) {
  switch (family) {
    case FamilyPreference::any:
      return "IP";
    case FamilyPreference::v4:
      return "IPv4";
    case FamilyPreference::v6:
      return "IPv6";
  }
  return "IP";
}

bool is_wanted(const wire::IpAddress& address, FamilyPreference family) {
  return family == FamilyPreference::any || (family == FamilyPreference::v6) == address.is_v6();
}

std::uint32_t zone_index(const std::string& host, const std::string& zone) {
  if (const unsigned index = if_nametoindex(zone.c_str()); index != 0) return index;
  std::uint32_t number = 0;
  const char* end = zone.data() + zone.size();
  const auto [rest, error] = std::from_chars(zone.data(), end, number);
  if (error == std::errc() && rest == end && number != 0) return number;
  throw SetupError(host + ": no interface is called " + zone);
}

// Address texts never go to the name service. nullopt: `host` is a name.
std::optional<ResolvedAddress> numeric(const std::string& host) {
  if (const auto address = wire::parse_address(host)) return ResolvedAddress{*address, 0};
  const std::size_t percent = host.find('%');
  if (host.find(':') != std::string::npos) {
    const auto address = wire::parse_address(std::string_view(host).substr(0, percent));
    if (!address || percent == std::string::npos) throw SetupError(host + ": not an IPv6 address");
    return ResolvedAddress{*address, zone_index(host, host.substr(percent + 1))};
  }
  // The C library would read 10.1 as 10.0.0.1, and 010.0.0.1 as 8.0.0.1.
  if (!host.empty() && host.find_first_not_of("0123456789.") == std::string::npos) {
    throw SetupError(host + ": not an IPv4 address");
  }
  return std::nullopt;
}

std::string reason_of(int code, int system_error, FamilyPreference family) {
  switch (code) {
    case EAI_NONAME:
      return "no such host";
    case EAI_NODATA:
    case EAI_ADDRFAMILY:
      return "the name has no " + std::string(family_name(family)) + " address";
    case EAI_AGAIN:
      return "no answer; try again later";
    case EAI_FAIL:
      return "it failed";
    case EAI_SYSTEM:
      return std::strerror(system_error);
    default:
      return gai_strerror(code);
  }
}

std::optional<ResolvedAddress> from_socket_address(const sockaddr& any) {
  if (any.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &any, sizeof v4);
    std::array<std::uint8_t, 4> octets{};
    std::memcpy(octets.data(), &v4.sin_addr, octets.size());
    return ResolvedAddress{wire::IpAddress::from_v4(octets), 0};
  }
  if (any.sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &any, sizeof v6);
    std::array<std::uint8_t, 16> octets{};
    std::memcpy(octets.data(), &v6.sin6_addr, octets.size());
    return ResolvedAddress{wire::IpAddress::from_v6(octets), v6.sin6_scope_id};
  }
  return std::nullopt;
}

}  // namespace

std::vector<ResolvedAddress> resolve(const std::string& host, FamilyPreference family) {
  if (host.empty()) throw SetupError("the name of the host is empty");
  if (const auto address = numeric(host)) {
    if (!is_wanted(address->address, family)) {
      throw SetupError(host + ": not an " + std::string(family_name(family)) + " address");
    }
    return {*address};
  }
  addrinfo hints{};
  hints.ai_family = family == FamilyPreference::v4 ? AF_INET : family == FamilyPreference::v6 ? AF_INET6 : AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;  // one entry an address
  addrinfo* list = nullptr;
  const int code = getaddrinfo(host.c_str(), nullptr, &hints, &list);
  const int system_error = errno;
  if (code != 0) {
    throw SetupError(host + ": no address found (name server: " + reason_of(code, system_error, family) + ")");
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  std::vector<ResolvedAddress> found;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    const auto address = from_socket_address(*entry->ai_addr);
    if (address && std::find(found.begin(), found.end(), *address) == found.end()) found.push_back(*address);
  }
  if (found.empty()) throw SetupError(host + ": no address found");
  return found;
}

}  // namespace volley::net

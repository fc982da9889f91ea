// The table from DLT_ numbers to link types. Any thread.
#include "volley/net/link_types.h"

#include <pcap/dlt.h>
#include <pcap/pcap.h>

namespace volley::net {

std::optional<wire::LinkType> link_type_of(int dlt) {
  // A file holds the LINKTYPE_ number, which libpcap maps; 12 and 14 both mean raw IP, by platform.
  switch (dlt) {
    case DLT_EN10MB:
      return wire::LinkType::ethernet;
    case DLT_LINUX_SLL:
      return wire::LinkType::linux_cooked_v1;
    case DLT_LINUX_SLL2:
      return wire::LinkType::linux_cooked_v2;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return wire::LinkType::raw_ip;
    case DLT_NULL:
      return wire::LinkType::null_loopback;
    case DLT_LOOP:
      return wire::LinkType::loop;
    default:
      return std::nullopt;
  }
}

std::string link_type_name(int dlt) {
  const char* name = pcap_datalink_val_to_name(dlt);
  return name == nullptr ? std::to_string(dlt) : std::string(name);
}

}  // namespace volley::net

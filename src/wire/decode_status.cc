// The words for why a frame could not be decoded.
//
// Pure; any thread.
#include "volley/wire/decode_status.h"

namespace volley::wire {

std::string_view to_string(DecodeStatus status) {
  switch (status) {
    case DecodeStatus::ok:
      return "ok";
    case DecodeStatus::not_ip:
      return "not IP";
    case DecodeStatus::other_transport:
      return "other transport";
    case DecodeStatus::later_fragment:
      return "later fragment";
    case DecodeStatus::truncated_link:
      return "truncated link header";
    case DecodeStatus::truncated_ip:
      return "truncated IP header";
    case DecodeStatus::bad_ip_header:
      return "bad IP header";
    case DecodeStatus::truncated_transport:
      return "truncated transport header";
    case DecodeStatus::bad_transport_header:
      return "bad transport header";
    case DecodeStatus::bad_extension_header:
      return "bad extension header";
    case DecodeStatus::bad_quote:
      return "bad quoted packet";
  }
  return "unknown";
}

bool is_malformed(DecodeStatus status) {
  switch (status) {
    case DecodeStatus::ok:
    case DecodeStatus::not_ip:
    case DecodeStatus::other_transport:
    case DecodeStatus::later_fragment:
      return false;
    case DecodeStatus::truncated_link:
    case DecodeStatus::truncated_ip:
    case DecodeStatus::bad_ip_header:
    case DecodeStatus::truncated_transport:
    case DecodeStatus::bad_transport_header:
    case DecodeStatus::bad_extension_header:
    case DecodeStatus::bad_quote:
      return true;
  }
  return true;
}

}  // namespace volley::wire

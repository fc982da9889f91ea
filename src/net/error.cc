// The text of set-up errors. Any thread.
#include "volley/net/error.h"

#include <system_error>

namespace volley::net {

std::string describe_errno(std::string_view what, int system_error) {
  return std::string(what) + ": " + std::generic_category().message(system_error);
}

}  // namespace volley::net

// What the net room throws while a run is being set up.
//
// The text names the operation and its object ("open capture on eth0: ...") and
// stands alone after "volley: ". Nothing is thrown once packets flow. Plain
// values; any thread.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace volley::net {

// The run can't be set up: a name, route, interface, socket or file.
class SetupError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A SetupError whose cause is a capability that this process lacks.
class PermissionError : public SetupError {
 public:
  using SetupError::SetupError;
};

// "what: text of the errno", as both classes above word it.
std::string describe_errno(std::string_view what, int system_error);

}  // namespace volley::net

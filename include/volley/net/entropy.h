// A seed from the kernel, for runs that were given none.
//
// Any thread.
#pragma once

#include <cstdint>

namespace volley::net {

std::uint64_t random_seed();

}  // namespace volley::net

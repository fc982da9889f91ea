// The Walsh-Hadamard transform: how far a function of d bits goes with each
// linear function of them.
//
// Pure; any thread.
#pragma once

#include <span>

namespace volley::diagnosis {

// In place, unnormalised: values[f] becomes the sum over x of
// values[x] * (-1)^parity(f & x). The size is a power of two; twice applied it
// multiplies by the size. Exact for whole numbers below 2^53.
void walsh_hadamard(std::span<double> values);

}  // namespace volley::diagnosis

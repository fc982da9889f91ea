// The fast transform: log2(size) rounds of butterflies. Pure; any thread.
#include "volley/diagnosis/walsh.h"

#include <cstddef>

namespace volley::diagnosis {

void walsh_hadamard(std::span<double> values) {
  for (std::size_t half = 1; half < values.size(); half *= 2) {
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * half) {
      double* low = values.data() + begin;
      double* high = low + half;
      for (std::size_t i = 0; i < half; ++i) {
        const double a = low[i];
        const double b = high[i];
        low[i] = a + b;
        high[i] = a - b;
      }
    }
  }
}

}  // namespace volley::diagnosis

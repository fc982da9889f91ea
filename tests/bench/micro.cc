// Microbenchmarks of volley's packet path: what each piece costs, in ns.
//
// Usage: micro [PART OF A NAME]. One thread; wants a core of its own.
#include "micro.h"

int main(int argument_count, char** arguments) {
  using namespace bench::micro;
  const Harness harness(argument_count > 1 ? arguments[1] : "");
  measure_bytes(harness);
  measure_values(harness);
  measure_paths(harness);
  return 0;
}

// Microbenchmarks of volley's packet path: what each piece costs, in ns.
//
// Usage: micro. One thread; wants a core of its own.
#include "micro.h"

int main() {
  using namespace bench::micro;
  print_heading();
  measure_bytes();
  measure_values();
  measure_paths();
  return 0;
}

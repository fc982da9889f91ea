// A small harness for timing: median over batches of the time that one
// operation takes.
//
// One thread. Prints one line a case, fields separated by tabs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

namespace bench::micro {

inline constexpr int kBatches = 21;
inline constexpr int kWarmUpBatches = 3;

// Makes the compiler believe that `value` is used.
template <typename T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

inline void print_heading() {
  std::printf("what\tns each\tmillion/s\n");
}

// `prepare(batch)` is not timed; `run()` does `operations` of them and is.
template <typename Prepare, typename Run>
void measure(std::string_view name, std::size_t operations, Prepare&& prepare, Run&& run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> each_ns;
  for (int batch = -kWarmUpBatches; batch < kBatches; ++batch) {
    prepare();
    const auto begin = Clock::now();
    run();
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    if (batch >= 0) each_ns.push_back(spent.count() / static_cast<double>(operations));
  }
  std::nth_element(each_ns.begin(), each_ns.begin() + kBatches / 2, each_ns.end());
  const double median = each_ns[kBatches / 2];
  std::printf("%.*s\t%.1f\t%.2f\n", static_cast<int>(name.size()), name.data(), median, 1e3 / median);
  std::fflush(stdout);
}

// Calls `operation(i)` for i from 0.
template <typename Operation>
void measure_each(std::string_view name, std::size_t operations, Operation&& operation) {
  measure(
      name, operations, [] {},
      [&] {
        for (std::size_t i = 0; i < operations; ++i) operation(i);
      });
}

// The cases, by file.
void measure_bytes();   // building, checksums, decoding
void measure_values();  // hashes, histogram
void measure_paths();   // sender and receiver as wholes

}  // namespace bench::micro

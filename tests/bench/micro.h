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

class Harness {
 public:
  // Only the cases whose name holds `wanted` run; empty: all.
  explicit Harness(std::string_view wanted) : wanted_(wanted) { std::printf("what\tns each\tmillion/s\n"); }

  bool is_wanted(std::string_view name) const { return name.find(wanted_) != std::string_view::npos; }

  // `prepare()` is not timed; `run()` does `operations` of them and is.
  template <typename Prepare, typename Run>
  void measure(std::string_view name, std::size_t operations, Prepare&& prepare, Run&& run) const {
    using Clock = std::chrono::steady_clock;
    if (!is_wanted(name)) return;
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
  void measure_each(std::string_view name, std::size_t operations, Operation&& operation) const {
    measure(
        name, operations, [] {},
        [&] {
          for (std::size_t i = 0; i < operations; ++i) operation(i);
        });
  }

 private:
  std::string_view wanted_;
};

// The cases, by file.
void measure_bytes(const Harness& harness);   // building, checksums, decoding
void measure_values(const Harness& harness);  // hashes, histogram
void measure_paths(const Harness& harness);   // sender and receiver as wholes

}  // namespace bench::micro

// Row reduction and counting over GF(2). Pure; any thread.
#include "volley/diagnosis/gf2.h"

#include <algorithm>
#include <cmath>

namespace volley::diagnosis {

Subspace::Subspace(std::span<const std::uint32_t> vectors) {
  for (const std::uint32_t vector : vectors) insert(vector);
}

std::uint32_t Subspace::reduce(std::uint32_t value) const {
  // A row's leading bit is in no other row, so the rows to add are known from the start.
  for (const std::uint32_t row : rows_) {
    if ((value & std::bit_floor(row)) != 0) value ^= row;
  }
  return value;
}

bool Subspace::insert(std::uint32_t value) {
  value = reduce(value);
  if (value == 0) return false;
  const std::uint32_t pivot = std::bit_floor(value);
  for (std::uint32_t& row : rows_) {
    if ((row & pivot) != 0) row ^= value;
  }
  rows_.insert(std::upper_bound(rows_.begin(), rows_.end(), value, std::greater<>()), value);
  pivots_ |= pivot;
  return true;
}

std::vector<std::uint32_t> Subspace::members() const {
  return subset_sums(rows_);
}

std::vector<std::uint32_t> subset_sums(std::span<const std::uint32_t> vectors) {
  std::vector<std::uint32_t> sums{0};
  sums.reserve(std::size_t{1} << vectors.size());
  for (const std::uint32_t vector : vectors) {
    const std::size_t half = sums.size();
    for (std::size_t i = 0; i < half; ++i) sums.push_back(sums[i] ^ vector);
  }
  return sums;
}

double log_subspaces(unsigned bits, unsigned dimension) {
  double sum = 0.0;
  for (unsigned i = 0; i < dimension; ++i) {
    sum += std::log((std::exp2(bits - i) - 1.0) / (std::exp2(dimension - i) - 1.0));
  }
  return sum;
}

}  // namespace volley::diagnosis

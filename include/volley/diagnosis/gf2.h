// Linear algebra over GF(2): vectors are the bits of a word.
//
// Plain values; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volley::diagnosis {

inline unsigned parity(std::uint32_t value) {
  return static_cast<unsigned>(std::popcount(value)) & 1U;
}

// A linear subspace by its reduced row echelon form: rows by falling leading
// bit, each leading bit in one row alone. Equal subspaces compare equal.
class Subspace {
 public:
  Subspace() = default;
  explicit Subspace(std::span<const std::uint32_t> vectors);

  std::size_t dimension() const { return rows_.size(); }
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  // The leading bits of all rows.
  std::uint32_t pivots() const { return pivots_; }

  // The one member of the coset value + V that is zero on all pivots; 0 for members of V.
  std::uint32_t reduce(std::uint32_t value) const;
  // Adds a vector; false if it was a member already.
  bool insert(std::uint32_t value);

  // All 2^dimension members; entry a is the sum of the rows whose bit is set in a.
  std::vector<std::uint32_t> members() const;

  friend bool operator==(const Subspace& a, const Subspace& b) { return a.rows_ == b.rows_; }
  friend bool operator<(const Subspace& a, const Subspace& b) { return a.rows_ < b.rows_; }

 private:
  std::vector<std::uint32_t> rows_;
  std::uint32_t pivots_ = 0;
};

// Sums of all subsets of `vectors`: entry a is the sum of those whose bit is set in a.
std::vector<std::uint32_t> subset_sums(std::span<const std::uint32_t> vectors);

// ln of the number of subspaces of this dimension of the space of `bits` bits.
double log_subspaces(unsigned bits, unsigned dimension);

}  // namespace volley::diagnosis

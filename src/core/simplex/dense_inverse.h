// SPDX-License-Identifier: Apache-2.0
// The inverse of a small basis, kept outright: B has a row per active row of the problem and a
// column per basic column, the inverse W = B^-1 a row per basic column and a column per active row.
// Four changes of B, each of cost n^2. With u a new column, alpha = W u, v' a new row, beta' = v'W:
//
//   border            (B u; v' d):  s = d - beta'u,  W + alpha beta'/s, -alpha/s; -beta'/s, 1/s
//   exchange_column   u for column q:  row q of W divided by alpha_q, alpha_i times it off the rest
//   exchange_row      v' for row a:    column a of W divided by beta_a, beta_k times it off others
//   remove            column q and row a:  the inverse of border
//
// and the inverse from scratch, by Gauss and Jordan with the largest pivot of each column.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lacuna::simplex {

struct ActiveEntry {
  std::size_t active = 0;
  double value = 0;
};

class DenseInverse {
 public:
  std::size_t size() const { return size_; }
  double* row(std::size_t basic) { return numbers_.data() + basic * stride_; }
  const double* row(std::size_t basic) const { return numbers_.data() + basic * stride_; }
  double at(std::size_t basic, std::size_t active) const {
    return numbers_[basic * stride_ + active];
  }

  // sums += W times a vector of which only the entries that are not zero are given
  void add_product(std::span<const ActiveEntry> vector, std::span<double> sums) const;
  // Of a row of W; kept until the row changes, because only few are ever asked for.
  double squared_length(std::size_t basic);

  void border(std::span<const double> alpha, std::span<const double> beta, double schur);
  void exchange_column(std::size_t basic, std::span<const double> alpha);
  void exchange_row(std::size_t active, std::span<const double> beta);
  // The last basic column and the last active row take the places of those removed.
  void remove(std::size_t basic, std::size_t active);

  // From scratch: begin_refactor gives a matrix of zeros, of which row `active` has to be filled
  // with the entries of B; finish_refactor inverts it. False if a pivot is not above the smallest;
  // the inverse is lost then.
  void begin_refactor(std::size_t size);
  double& entry(std::size_t active, std::size_t basic) { return row(active)[basic]; }
  bool finish_refactor(double smallest_pivot);

  void clear();        // keeps its memory
  void free_memory();  // and this does not
  std::size_t memory() const { return numbers_.capacity() * sizeof(double); }

 private:
  static constexpr double kUnknown = -1;
  void grow(std::size_t size);
  void subtract(std::size_t from, const double* numbers, double factor);

  std::size_t size_ = 0, stride_ = 0;
  std::vector<double> numbers_;
  std::vector<double> length_;  // by row, kUnknown if it has changed
  std::vector<std::size_t> swapped_;
};

}  // namespace lacuna::simplex

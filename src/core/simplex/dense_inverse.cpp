// SPDX-License-Identifier: Apache-2.0
#include "core/simplex/dense_inverse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/simplex/dense.h"

namespace lacuna::simplex {
namespace {

constexpr std::size_t kFirstStride = 16;

}  // namespace

void DenseInverse::grow(std::size_t size) {
  if (size <= stride_)
    return;
  const std::size_t wider = std::max(kFirstStride, size + size / 2);
  std::vector<double> larger(wider * wider, 0.0);
  for (std::size_t b = 0; b < size_; ++b)
    std::copy_n(row(b), size_, &larger[b * wider]);
  numbers_ = std::move(larger);
  stride_ = wider;
}

void DenseInverse::clear() {
  size_ = 0;
  length_.clear();
}

void DenseInverse::free_memory() {
  clear();
  stride_ = 0;
  numbers_ = {};
}

void DenseInverse::add_product(std::span<const ActiveEntry> vector, std::span<double> sums) const {
  if (vector.empty())
    return;
  for (std::size_t b = 0; b < size_; ++b) {
    const double* from = row(b);
    double sum = 0;
    for (const ActiveEntry& entry : vector)
      sum += from[entry.active] * entry.value;
    sums[b] += sum;
  }
}

double DenseInverse::squared_length(std::size_t basic) {
  if (length_[basic] == kUnknown)
    length_[basic] = simplex::squared_length(row(basic), size_);
  return length_[basic];
}

void DenseInverse::subtract(std::size_t from, const double* numbers, double factor) {
  subtract_multiple(row(from), numbers, factor, size_);
  length_[from] = kUnknown;
}

void DenseInverse::border(std::span<const double> alpha,
                          std::span<const double> beta,
                          double schur) {
  grow(size_ + 1);
  for (std::size_t b = 0; b < size_; ++b) {
    const double factor = alpha[b] / schur;
    if (factor != 0)
      subtract(b, beta.data(), -factor);
    row(b)[size_] = -factor;
  }
  double* last = row(size_);
  for (std::size_t a = 0; a < size_; ++a)
    last[a] = -beta[a] / schur;
  last[size_] = 1 / schur;
  ++size_;
  length_.push_back(kUnknown);
}

void DenseInverse::exchange_column(std::size_t basic, std::span<const double> alpha) {
  double* pivoted = row(basic);
  for (std::size_t a = 0; a < size_; ++a)
    pivoted[a] /= alpha[basic];
  length_[basic] = kUnknown;
  for (std::size_t b = 0; b < size_; ++b) {
    if (b != basic && alpha[b] != 0)
      subtract(b, pivoted, alpha[b]);
  }
}

void DenseInverse::exchange_row(std::size_t active, std::span<const double> beta) {
  for (std::size_t b = 0; b < size_; ++b) {
    const double before = row(b)[active];
    if (before == 0)
      continue;
    const double factor = before / beta[active];
    subtract(b, beta.data(), factor);
    row(b)[active] = factor;
  }
}

void DenseInverse::remove(std::size_t basic, std::size_t active) {
  const double pivot = at(basic, active);
  for (std::size_t b = 0; b < size_; ++b) {
    const double factor = at(b, active) / pivot;
    if (b != basic && factor != 0)
      subtract(b, row(basic), factor);
  }
  const std::size_t last = size_ - 1;
  if (basic != last)
    std::copy_n(row(last), size_, row(basic));
  for (std::size_t b = 0; b < last; ++b)
    row(b)[active] = row(b)[last];
  size_ = last;
  length_.assign(size_, kUnknown);
}

void DenseInverse::begin_refactor(std::size_t size) {
  grow(size);
  size_ = size;
  for (std::size_t i = 0; i < size; ++i)
    std::fill_n(row(i), size, 0.0);
}

bool DenseInverse::finish_refactor(double smallest_pivot) {
  length_.assign(size_, kUnknown);
  swapped_.assign(size_, 0);
  for (std::size_t q = 0; q < size_; ++q) {
    std::size_t best = q;
    for (std::size_t i = q + 1; i < size_; ++i)
      best = std::abs(row(i)[q]) > std::abs(row(best)[q]) ? i : best;
    const double pivot = row(best)[q];
    if (!(std::abs(pivot) > smallest_pivot))
      return false;
    swapped_[q] = best;
    if (best != q)
      std::swap_ranges(row(best), row(best) + size_, row(q));
    row(q)[q] = 1;
    for (std::size_t j = 0; j < size_; ++j)
      row(q)[j] /= pivot;
    for (std::size_t i = 0; i < size_; ++i) {
      const double factor = row(i)[q];
      if (i == q || factor == 0)
        continue;
      row(i)[q] = 0;
      subtract_multiple(row(i), row(q), factor, size_);
    }
  }
  for (std::size_t q = size_; q-- > 0;) {  // rows of B were swapped: columns of its inverse
    for (std::size_t i = 0; swapped_[q] != q && i < size_; ++i)
      std::swap(row(i)[q], row(i)[swapped_[q]]);
  }
  return true;
}

}  // namespace lacuna::simplex

// SPDX-License-Identifier: Apache-2.0
// Magnitudes (Giessing and Tent 2019; Giessing 2024; as tau-ARGUS 4.2 computes them). For a cell x
// with contributions x_1, x_2, ... and factors epsilon_j, z_s = m_1 / (s1 sqrt(sum epsilon_j^2)),
// m_1^2 = sum (j - i)^2 p of the last row of the small table, one after the other for j = 1, 2, ...
//   1. |x_j| < z_s: j = 1: delta = 1 and the small table; j > 1: nothing.
//      Else delta = x_j epsilon_j m(|x_j|) and the large table.
//   2. |x| < |delta|: delta = x, x_j := x / (s1 epsilon_j), and step 1 again for it.
//   3. The first digit of the key goes to its end.
//   4. v is the entry of row a = |x / delta|, interpolated between rows, at most the last row.
//   5. x := x + sign(x) |delta| sign(v) (mu + |v|), not past zero; mu for a sensitive cell, j = 1,
//      large table.
#pragma once

#include <cstdint>
#include <span>

#include "lacuna/cellkey.h"

namespace lacuna::cellkey {

struct MagnitudeCell {
  double value = 0;
  std::span<const double> largest;  // contributions, or the one number that replaces them
  std::uint64_t key = 0;
  std::int64_t records = 0;
  bool sensitive = false;
};

class MagnitudeNoise {
 public:
  // `modulus` is a power of ten.
  MagnitudeNoise(const CellKeyOptions& options, std::uint64_t modulus);
  double published(const MagnitudeCell& cell) const;
  double separation() const { return separation_; }  // z_s
  // The noise of a cell x with contributions of one sign is at most relative |x| + absolute.
  double most_relative() const;
  double most_absolute() const;

 private:
  struct Step {
    double delta = 0;
    bool small = false;
    bool none = false;
  };
  Step step(double value, double contribution, std::size_t j) const;
  double noise(const Ptable& table, PtableType type, double row, std::uint64_t key) const;
  double entry(const Ptable& table, const PtableRow& row, std::uint64_t key) const;
  std::uint64_t rotated(std::uint64_t key) const;
  PtableType type_of(const MagnitudeCell& cell) const;

  const CellKeyOptions& options_;
  std::uint64_t modulus_;
  double separation_ = 0;
};

}  // namespace lacuna::cellkey

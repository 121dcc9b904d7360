// SPDX-License-Identifier: Apache-2.0
// A basis of all solutions of a system of equations with small whole coefficients, proven: the
// rows of a tableau modulo a prime (kernel_tableau.h), lifted to fractions n/d with |n|, d <= 2^14,
// which is unique as 2 n d < 2^31 - 1 (rational reconstruction; Wang 1981), and checked against
// every equation in whole numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lacuna/run_context.h"
#include "lacuna/table.h"

namespace lacuna::presolve {

struct SmallFraction {
  std::int32_t column = 0;  // of the basis: the unknown that it is named after
  std::int32_t numerator = 0;
  std::int32_t denominator = 1;
  bool operator==(const SmallFraction&) const = default;
};

class ExactKernel {
 public:
  using Row = std::vector<SmallFraction>;  // by column

  // Unknowns are 0 to count - 1. Nothing if it would be large, numbers do not stay small, or the
  // run is stopped.
  static std::optional<ExactKernel> make(std::int32_t count,
                                         const std::vector<std::vector<Term>>& equations,
                                         const RunContext& run);

  const Row& row(std::int32_t unknown) const { return rows_[static_cast<std::size_t>(unknown)]; }
  // Equations that do not follow from the others, ascending; short ones are kept first.
  const std::vector<std::int32_t>& independent() const { return independent_; }

 private:
  bool holds(const std::vector<Term>& equation, std::vector<std::int64_t>& sums) const;

  std::vector<Row> rows_;
  std::vector<std::int32_t> independent_;
};

}  // namespace lacuna::presolve

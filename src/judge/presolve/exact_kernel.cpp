// SPDX-License-Identifier: Apache-2.0
#include "judge/presolve/exact_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "core/base/index.h"
#include "core/base/work.h"
#include "judge/presolve/kernel_tableau.h"
#include "judge/presolve/tuning.h"

namespace lacuna::presolve {
namespace {

constexpr std::int64_t kSmall = 1 << 14;  // of 2^31 - 1: two such fractions differ as residues

// The fraction of small numbers that has this residue: half-way through Euclid's algorithm.
std::optional<SmallFraction> lifted(std::int32_t column, std::uint32_t residue) {
  std::int64_t r0 = residue::kPrime;
  std::int64_t r1 = residue;
  if (r1 > r0 / 2)
    r1 -= r0;
  if (std::abs(r1) <= kSmall)
    return SmallFraction{column, static_cast<std::int32_t>(r1), 1};
  std::int64_t t0 = 0;
  std::int64_t t1 = 1;
  while (std::abs(r1) > kSmall) {
    const std::int64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    t0 = std::exchange(t1, t0 - quotient * t1);
  }
  if (std::abs(t1) > kSmall || t1 == 0)
    return std::nullopt;
  const std::int64_t sign = t1 < 0 ? -1 : 1;
  return SmallFraction{
      column, static_cast<std::int32_t>(sign * r1), static_cast<std::int32_t>(sign * t1)};
}

std::optional<ExactKernel::Row> lifted_row(const KernelTableau& tableau, std::int32_t unknown) {
  if (!tableau.is_basic(unknown))
    return ExactKernel::Row{{unknown, 1, 1}};
  ExactKernel::Row row;
  row.reserve(tableau.row(unknown).size());
  for (const KernelTableau::Entry& entry : tableau.row(unknown)) {
    const auto fraction = lifted(entry.cell, entry.value);
    if (!fraction)
      return std::nullopt;
    row.push_back(*fraction);
  }
  return row;
}

}  // namespace

std::optional<ExactKernel> ExactKernel::make(std::int32_t count,
                                             const std::vector<std::vector<Term>>& equations,
                                             const RunContext& run) {
  KernelTableau tableau(
      std::vector<KernelTableau::Role>(base::at(count), KernelTableau::Role::kPublished));
  ExactKernel kernel;
  if (!tableau.build(equations, kTuning.kernel.most_entries, run, kernel.independent_))
    return std::nullopt;
  for (std::int32_t i = 0; i < count; ++i) {
    auto row = lifted_row(tableau, i);
    if (!row)
      return std::nullopt;
    kernel.rows_.push_back(*std::move(row));
  }
  base::count_work(10 * tableau.num_entries());
  std::vector<std::int64_t> sums(base::at(count), 0);
  const bool proven = std::all_of(equations.begin(), equations.end(), [&](const auto& equation) {
    return kernel.holds(equation, sums);
  });
  if (!proven)
    return std::nullopt;
  return kernel;
}

// Is the sum of the rows zero in every column? `sums` is all zero before and after.
bool ExactKernel::holds(const std::vector<Term>& equation, std::vector<std::int64_t>& sums) const {
  std::int64_t common = 1;
  std::size_t entries = 0;
  for (const Term& term : equation) {
    entries += row(term.cell.value).size();
    for (const SmallFraction& entry : row(term.cell.value))
      common = common > kSmall ? common : std::lcm(common, std::int64_t{entry.denominator});
    if (std::abs(std::int64_t{term.coefficient}) > kSmall)
      return false;
  }
  base::count_work(5 * entries);
  if (common > kSmall || entries > std::size_t{1} << 20U)  // 2^14 2^14 2^14 2^20 < 2^63
    return false;
  for (const Term& term : equation) {
    for (const SmallFraction& entry : row(term.cell.value))
      sums[base::at(entry.column)] +=
          term.coefficient * (common / entry.denominator) * entry.numerator;
  }
  bool zero = true;
  for (const Term& term : equation) {
    for (const SmallFraction& entry : row(term.cell.value))
      zero = std::exchange(sums[base::at(entry.column)], 0) == 0 && zero;
  }
  return zero;
}

}  // namespace lacuna::presolve

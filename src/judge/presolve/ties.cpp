// SPDX-License-Identifier: Apache-2.0
#include "judge/presolve/ties.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>

#include "core/base/index.h"
#include "core/base/work.h"

namespace lacuna::presolve {
namespace {

// The same equation without a common factor, the first coefficient positive.
void normalise(ClassEquation& equation) {
  std::int64_t factor = 0;
  for (const ClassTerm& term : equation)
    factor = std::gcd(factor, term.coefficient);
  if (equation.front().coefficient < 0)
    factor = -factor;
  for (ClassTerm& term : equation)
    term.coefficient /= factor;
}

}  // namespace

Ties::Ties(const Table& table, const std::vector<bool>& movable)
    : table_(table), parent_(movable.size()), sense_(movable.size(), 1), fixed_(movable) {
  std::iota(parent_.begin(), parent_.end(), 0);
  fixed_.flip();
  while (pass()) {
  }
}

Ties::Place Ties::find(std::int32_t cell) {
  if (parent_[base::at(cell)] == cell)
    return {cell, 1};
  const Place above = find(parent_[base::at(cell)]);
  parent_[base::at(cell)] = above.root;
  sense_[base::at(cell)] = static_cast<std::int8_t>(sense_[base::at(cell)] * above.sense);
  return {above.root, sense_[base::at(cell)]};
}

bool Ties::is_fixed(std::int32_t cell) {
  return fixed_[base::at(find(cell).root)];
}

void Ties::fix(std::int32_t root) {
  fixed_[base::at(root)] = true;
}

void Ties::tie(std::int32_t root, std::int32_t other, int sense) {
  parent_[base::at(other)] = root;
  sense_[base::at(other)] = static_cast<std::int8_t>(sense);
}

bool Ties::pass() {
  bool changed = false;
  ClassEquation sums;
  for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
    collect(EquationId{e}, sums);
    if (sums.size() == 1) {
      fix(sums[0].root);
      changed = true;
    } else if (sums.size() == 2 && std::abs(sums[0].coefficient) == std::abs(sums[1].coefficient)) {
      tie(sums[0].root, sums[1].root, sums[0].coefficient == sums[1].coefficient ? -1 : 1);
      changed = true;
    }
  }
  return changed;
}

// The equation over roots that may move; by root, no zero coefficients.
void Ties::collect(EquationId equation, ClassEquation& sums) {
  sums.clear();
  for (const Term& term : table_.equation(equation)) {
    const Place place = find(term.cell.value);
    if (!fixed_[base::at(place.root)])
      sums.push_back({place.root, std::int64_t{term.coefficient} * place.sense});
  }
  std::sort(sums.begin(), sums.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < sums.size();) {
    ClassTerm sum = sums[i];
    for (++i; i < sums.size() && sums[i].root == sum.root; ++i)
      sum.coefficient += sums[i].coefficient;
    if (sum.coefficient != 0)
      sums[kept++] = sum;
  }
  sums.resize(kept);
  base::count_work(10 * table_.equation(equation).size());
}

std::vector<ClassEquation> Ties::equations() {
  std::vector<ClassEquation> list;
  std::set<ClassEquation> seen;
  ClassEquation sums;
  for (std::int32_t e = 0; e < table_.num_equations(); ++e) {
    collect(EquationId{e}, sums);
    if (sums.empty())
      continue;
    normalise(sums);
    if (seen.insert(sums).second)
      list.push_back(sums);
  }
  return list;
}

}  // namespace lacuna::presolve

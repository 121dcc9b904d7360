// SPDX-License-Identifier: Apache-2.0
#include "protect/adjust/rounding.h"

#include <algorithm>
#include <cmath>

#include "core/base/index.h"
#include "core/base/work.h"
#include "protect/adjust/tuning.h"

namespace lacuna::adjustment {
namespace {

Units power_of_ten(int digits) {
  Units power = 1;
  for (int i = 0; i < digits; ++i)
    power *= 10;
  return power;
}

}  // namespace

ExactRounding::ExactRounding(const Table& table, const Model& model, const RunContext& run)
    : table_(table), model_(model) {
  eliminate(run);
  if (possible_)
    measure();
}

// Gauss-Jordan in integers, dense in the leaves that occur in conditions.
void ExactRounding::eliminate(const RunContext& run) {
  std::vector<std::int32_t> used;  // leaves, by column of the rows
  std::vector<std::vector<std::int32_t>> rows = rows_of_conditions(used);
  std::vector<std::size_t> pivots;
  for (std::size_t r = 0; r < rows.size() && possible_; ++r) {
    const auto one = std::find_if(
        rows[r].begin(), rows[r].end(), [](std::int32_t c) { return c == 1 || c == -1; });
    if (one == rows[r].end() || run.braked()) {
      possible_ = false;
      return;
    }
    const auto pivot = static_cast<std::size_t>(one - rows[r].begin());
    if (*one < 0) {
      for (std::int32_t& c : rows[r])
        c = -c;
    }
    for (std::size_t other = 0; other < rows.size(); ++other) {
      const std::int32_t factor = rows[other][pivot];
      if (other == r || factor == 0)
        continue;
      base::count_work(used.size() / 2);
      for (std::size_t l = 0; l < used.size(); ++l)
        rows[other][l] -= factor * rows[r][l];
    }
    pivots.push_back(pivot);
  }
  for (std::size_t r = 0; r < pivots.size(); ++r) {
    Row row{used[pivots[r]], {}};
    for (std::size_t l = 0; l < used.size(); ++l) {
      if (l != pivots[r] && rows[r][l] != 0)
        row.others.push_back({used[l], rows[r][l]});
    }
    rows_.push_back(std::move(row));
  }
}

// Empty, and rounding not possible, if that would take too much memory.
std::vector<std::vector<std::int32_t>> ExactRounding::rows_of_conditions(
    std::vector<std::int32_t>& used) {
  const table::LeafForm& form = model_.form;
  std::vector<std::int32_t> place(form.leaves.size(), -1);
  std::vector<std::vector<table::LeafTerm>> sparse;
  for (const EquationId equation : form.conditions) {
    std::vector<table::LeafTerm> row;
    for (const Term& term : table_.equation(equation)) {
      for (const table::LeafTerm& leaf : form.of(term.cell)) {
        row.push_back({leaf.leaf, leaf.coefficient * term.coefficient});
        auto& where = place[static_cast<std::size_t>(leaf.leaf)];
        if (where < 0) {
          where = static_cast<std::int32_t>(used.size());
          used.push_back(leaf.leaf);
        }
      }
    }
    sparse.push_back(std::move(row));
  }
  possible_ = sparse.size() * used.size() <= kTuning.publish.most_entries;
  if (!possible_)
    return {};
  std::vector<std::vector<std::int32_t>> rows(sparse.size(),
                                              std::vector<std::int32_t>(used.size(), 0));
  for (std::size_t r = 0; r < sparse.size(); ++r) {
    for (const table::LeafTerm& term : sparse[r])
      rows[r][static_cast<std::size_t>(place[static_cast<std::size_t>(term.leaf)])] +=
          static_cast<std::int32_t>(term.coefficient);
  }
  return rows;
}

void ExactRounding::measure() {
  const table::LeafForm& form = model_.form;
  std::vector<double> leaf(form.leaves.size(), 1.0);  // a leaf near a bound moves by up to one unit
  for (const Row& row : rows_) {
    double sum = 0;
    for (const table::LeafTerm& term : row.others)
      sum += static_cast<double>(std::abs(term.coefficient));
    leaf[static_cast<std::size_t>(row.pivot)] = sum;
  }
  margins_.assign(model_.free.size(), 0.0);
  for (std::size_t c = 0; c < margins_.size(); ++c) {
    for (const table::LeafTerm& term : form.of(CellId{static_cast<std::int32_t>(c)}))
      margins_[c] += static_cast<double>(std::abs(term.coefficient)) *
                     leaf[static_cast<std::size_t>(term.leaf)];
  }
}

// Bounds of the deviation in units, with the side of a sensitive cell.
Bounds ExactRounding::allowed(CellId id, Sense sense, Units factor) const {
  const Cell& cell = table_.cell(id);
  const Levels& levels = model_.levels[base::at(id)];
  Bounds bounds;
  if (cell.prior.has_lower())
    bounds.lower = (cell.prior.lower - cell.value) * factor;
  if (cell.prior.has_upper())
    bounds.upper = (cell.prior.upper - cell.value) * factor;
  if (!model_.sensitive[base::at(id)])
    return bounds;
  if (sense == Sense::kUp)
    bounds.lower = std::max(bounds.lower, levels.up * factor);
  if (sense == Sense::kDown)
    bounds.upper = std::min(bounds.upper, -levels.down * factor);
  return bounds;
}

std::optional<std::vector<Units>> ExactRounding::round(const std::vector<double>& z,
                                                       const std::vector<Sense>& senses,
                                                       int digits) const {
  const table::LeafForm& form = model_.form;
  const Units factor = power_of_ten(digits);
  const double scale = static_cast<double>(power_of_ten(digits)) *
                       std::pow(10.0, static_cast<double>(table_.decimals()));
  std::vector<Units> moves(model_.free.size(), 0);
  base::count_work(kTuning.touches.rounded_cell * moves.size());
  for (const CellId leaf : form.leaves) {
    const Bounds bounds = allowed(leaf, senses[base::at(leaf)], factor);
    const double wanted = z[base::at(leaf)] * scale;
    if (!(std::abs(wanted) < static_cast<double>(kMaxUnits)))
      return std::nullopt;
    moves[base::at(leaf)] = std::clamp(Units{std::llround(wanted)}, bounds.lower, bounds.upper);
  }
  for (const Row& row : rows_) {
    Wide sum = 0;
    for (const table::LeafTerm& term : row.others)
      sum -= Wide{term.coefficient} *
             moves[base::at(form.leaves[static_cast<std::size_t>(term.leaf)])];
    moves[base::at(form.leaves[static_cast<std::size_t>(row.pivot)])] = static_cast<Units>(sum);
  }
  for (std::size_t i = 0; i < form.defined.size(); ++i) {
    Wide sum = 0;
    std::int32_t own = 1;
    for (const Term& term : table_.equation(form.defining[i])) {
      if (term.cell == form.defined[i])
        own = term.coefficient;
      else
        sum += Wide{term.coefficient} * moves[base::at(term.cell)];
    }
    moves[base::at(form.defined[i])] = static_cast<Units>(-own * sum);
  }
  for (std::size_t c = 0; c < moves.size(); ++c) {
    const CellId id{static_cast<std::int32_t>(c)};
    if (model_.free[c] && !allowed(id, senses[c], factor).contains(moves[c]))
      return std::nullopt;
  }
  return moves;
}

}  // namespace lacuna::adjustment

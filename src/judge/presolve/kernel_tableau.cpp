// SPDX-License-Identifier: Apache-2.0
#include "judge/presolve/kernel_tableau.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/check.h"
#include "core/base/work.h"
#include "judge/presolve/tuning.h"

namespace lacuna::presolve {

// Euclid's algorithm.
std::uint32_t residue::inverse(std::uint32_t a) {
  LACUNA_CHECK(a != 0);
  std::int64_t r0 = kPrime;
  std::int64_t r1 = a;
  std::int64_t t0 = 0;
  std::int64_t t1 = 1;
  while (r1 != 0) {
    const std::int64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    t0 = std::exchange(t1, t0 - quotient * t1);
  }
  return static_cast<std::uint32_t>(t0 < 0 ? t0 + kPrime : t0);
}

KernelTableau::KernelTableau(std::vector<Role> roles)
    : roles_(std::move(roles)),
      row_of_(roles_.size(), -1),
      columns_(roles_.size()),
      sums_(roles_.size(), 0) {}

bool KernelTableau::build(const Table& table, std::size_t most_entries, const RunContext& run) {
  std::vector<std::int32_t> independent;
  return add_all(
      table.num_equations(),
      [&](std::int32_t e) { return table.equation(EquationId{e}); },
      most_entries,
      run,
      independent);
}

bool KernelTableau::build(const std::vector<std::vector<Term>>& equations,
                          std::size_t most_entries,
                          const RunContext& run,
                          std::vector<std::int32_t>& independent) {
  return add_all(
      static_cast<std::int32_t>(equations.size()),
      [&](std::int32_t e) { return std::span<const Term>(equations[index(e)]); },
      most_entries,
      run,
      independent);
}

template <class Equation>
bool KernelTableau::add_all(std::int32_t count,
                            Equation&& equation,
                            std::size_t most_entries,
                            const RunContext& run,
                            std::vector<std::int32_t>& independent) {
  std::vector<std::int32_t> order(index(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return equation(a).size() < equation(b).size();
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (entries_ > most_entries || (i % kTuning.kernel.look_at_clock == 0 && run.should_stop()))
      return false;
    if (add_equation(equation(order[i])))
      independent.push_back(order[i]);
  }
  std::sort(independent.begin(), independent.end());
  return entries_ <= most_entries;
}

// The equation in terms of nonbasic cells makes one of them basic.
bool KernelTableau::add_equation(std::span<const Term> terms) {
  std::vector<std::int32_t> cells;
  const auto add = [&](std::int32_t cell, Residue value) {
    cells.push_back(cell);
    sums_[index(cell)] = residue::add(sums_[index(cell)], value);
  };
  for (const Term& term : terms) {
    const std::int32_t cell = term.cell.value;
    if (roles_[index(cell)] == Role::kAbsent)
      continue;
    const Residue factor = residue::of(term.coefficient);
    if (!is_basic(cell)) {
      add(cell, factor);
      continue;
    }
    for (const Entry& entry : row(cell))
      add(entry.cell, residue::multiply(factor, entry.value));
  }
  base::count_work(20 * cells.size());
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  Row sum;
  for (const std::int32_t cell : cells) {
    const Residue value = std::exchange(sums_[index(cell)], 0);
    if (value != 0)
      sum.push_back({cell, value});
  }
  if (sum.empty())
    return false;
  const std::int32_t pivot = pick_pivot(sum);
  const Residue factor = residue::negate(residue::inverse(value_at(sum, pivot)));
  std::erase_if(sum, [&](const Entry& entry) { return entry.cell == pivot; });
  for (Entry& entry : sum)
    entry.value = residue::multiply(entry.value, factor);
  substitute(pivot, sum);
  rows_.emplace_back();
  basic_.push_back(-1);
  enter(static_cast<std::int32_t>(rows_.size()) - 1, pivot, std::move(sum));
  return true;
}

std::int32_t KernelTableau::pick_pivot(const Row& row) const {
  const Entry* best = nullptr;
  const auto rank = [&](const Entry& entry) {
    return std::tuple(roles_[index(entry.cell)] != Role::kWithheld,
                      !residue::is_unit(entry.value),
                      column_size(entry.cell));
  };
  for (const Entry& entry : row) {
    if (best == nullptr || rank(entry) < rank(*best))
      best = &entry;
  }
  return best->cell;
}

KernelTableau::Residue KernelTableau::value_at(const Row& row, std::int32_t cell) {
  const auto at = std::lower_bound(
      row.begin(), row.end(), cell, [](const Entry& e, std::int32_t c) { return e.cell < c; });
  return at == row.end() || at->cell != cell ? 0 : at->value;
}

void KernelTableau::substitute(std::int32_t cell, const Row& by) {
  const std::vector<std::int32_t> places = std::move(columns_[index(cell)]);
  columns_[index(cell)].clear();
  for (const std::int32_t r : places)
    add_multiple(r, cell, by);
}

// Row r without the cell that is gone, plus its factor times what the cell is made of.
void KernelTableau::add_multiple(std::int32_t r, std::int32_t gone, const Row& by) {
  Row& row = rows_[index(r)];
  const Residue factor = value_at(row, gone);
  merged_.clear();
  auto a = row.begin();
  auto b = by.begin();
  while (a != row.end() || b != by.end()) {
    if (b == by.end() || (a != row.end() && a->cell < b->cell)) {
      if (a->cell != gone)
        merged_.push_back(*a);
      ++a;
    } else if (a == row.end() || b->cell < a->cell) {
      merged_.push_back({b->cell, residue::multiply(factor, b->value)});
      columns_[index(b->cell)].push_back(r);
      ++b;
    } else {
      const Residue value = residue::add(a->value, residue::multiply(factor, b->value));
      if (value != 0) {
        merged_.push_back({a->cell, value});
      } else {
        auto& column = columns_[index(a->cell)];
        *std::find(column.begin(), column.end(), r) = column.back();
        column.pop_back();
      }
      ++a;
      ++b;
    }
  }
  base::count_work(5 * (row.size() + merged_.size()));
  entries_ += merged_.size();
  entries_ -= row.size();
  row.assign(merged_.begin(), merged_.end());
}

void KernelTableau::enter(std::int32_t r, std::int32_t cell, Row row) {
  for (const Entry& entry : row)
    columns_[index(entry.cell)].push_back(r);
  entries_ += row.size();
  rows_[index(r)] = std::move(row);
  basic_[index(r)] = cell;
  row_of_[index(cell)] = r;
}

KernelTableau::Entry KernelTableau::withheld_in_row(std::int32_t cell) const {
  Entry best;
  const auto rank = [&](const Entry& entry) {
    return std::pair(!residue::is_unit(entry.value), column_size(entry.cell));
  };
  for (const Entry& entry : row(cell)) {
    if (roles_[index(entry.cell)] == Role::kWithheld && (best.cell < 0 || rank(entry) < rank(best)))
      best = entry;
  }
  return best;
}

void KernelTableau::pivot(std::int32_t leaving, std::int32_t entering) {
  const std::int32_t r = row_of_[index(leaving)];
  Row row = std::move(rows_[index(r)]);
  const Residue inverse = residue::inverse(value_at(row, entering));
  const Residue factor = residue::negate(inverse);
  Row made;
  made.reserve(row.size());
  bool placed = false;
  const auto place = [&] {
    made.push_back({leaving, inverse});
    placed = true;
  };
  for (const Entry& entry : row) {
    auto& column = columns_[index(entry.cell)];
    *std::find(column.begin(), column.end(), r) = column.back();
    column.pop_back();
    if (entry.cell == entering)
      continue;
    if (!placed && leaving < entry.cell)
      place();
    made.push_back({entry.cell, residue::multiply(entry.value, factor)});
  }
  if (!placed)
    place();
  rows_[index(r)].clear();
  entries_ -= row.size();
  row_of_[index(leaving)] = -1;
  substitute(entering, made);
  enter(r, entering, std::move(made));
}

}  // namespace lacuna::presolve

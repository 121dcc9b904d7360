// SPDX-License-Identifier: Apache-2.0
#include "core/table/parts.h"

#include <numeric>

#include "core/base/index.h"

namespace lacuna::table {
namespace {

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  std::size_t find(std::size_t x) {
    while (parent_[x] != x) {
      parent_[x] = parent_[parent_[x]];
      x = parent_[x];
    }
    return x;
  }
  void join(std::size_t x, std::size_t y) { parent_[find(x)] = find(y); }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<FixedBy> determined_cells(const Table& table, const std::vector<bool>& free) {
  std::vector<bool> open = free;
  std::vector<std::int32_t> count(static_cast<std::size_t>(table.num_equations()), 0);
  std::vector<EquationId> queue;
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    for (const Term& term : table.equation(EquationId{e})) {
      if (open[base::at(term.cell)])
        ++count[static_cast<std::size_t>(e)];
    }
    if (count[static_cast<std::size_t>(e)] == 1)
      queue.push_back(EquationId{e});
  }
  std::vector<FixedBy> found;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const Term& term : table.equation(queue[head])) {
      if (!open[base::at(term.cell)])
        continue;
      open[base::at(term.cell)] = false;
      found.push_back({term.cell, queue[head], term.coefficient});
      for (const Incidence& other : table.equations_of(term.cell)) {
        if (--count[static_cast<std::size_t>(other.equation.value)] == 1)
          queue.push_back(other.equation);
      }
      break;
    }
  }
  return found;
}

std::vector<bool> movable_cells(const Table& table) {
  std::vector<bool> movable(base::at(table.num_cells()), false);
  for (std::size_t c = 0; c < movable.size(); ++c) {
    const Cell& cell = table.cells()[c];
    movable[c] = may_be_withheld(cell) && !cell.prior.is_point();
  }
  for (const FixedBy& fixed : determined_cells(table, movable))
    movable[base::at(fixed.cell)] = false;
  return movable;
}

Parts connected_parts(const Table& table, const std::vector<bool>& free) {
  UnionFind sets(free.size());
  for (std::int32_t e = 0; e < table.num_equations(); ++e) {
    std::int64_t first = -1;
    for (const Term& term : table.equation(EquationId{e})) {
      if (!free[base::at(term.cell)])
        continue;
      if (first < 0) {
        first = term.cell.value;
      } else {
        sets.join(base::at(term.cell), static_cast<std::size_t>(first));
      }
    }
  }
  Parts parts;
  parts.part_of.assign(free.size(), -1);
  std::vector<std::int32_t> number(free.size(), -1);
  for (std::size_t c = 0; c < free.size(); ++c) {
    if (!free[c])
      continue;
    std::int32_t& part = number[sets.find(c)];
    if (part < 0)
      part = parts.count++;
    parts.part_of[c] = part;
  }
  return parts;
}

}  // namespace lacuna::table
